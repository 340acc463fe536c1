package dev.hiplab.race;

import static java.util.stream.Collectors.joining;

import dev.hiplab.HiplabException;
import dev.hiplab.scenario.Scenario;
import dev.hiplab.scenario.Sentences;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A scenario of the caller's own as Java source, from a notebook's cell or a file: compiled here,
 * so that fresh JVMs can load it.
 *
 * @param text the source of one top-level class that implements {@link Scenario}
 * @param className its name, with the package if it has one
 */
record ScenarioSource(String text, String className) {
  private static final Pattern PACKAGE =
      Pattern.compile("^\\s*package\\s+([\\w.]+)\\s*;", Pattern.MULTILINE);
  private static final Pattern CLASS =
      Pattern.compile(
          "^\\s*(?:public\\s+|final\\s+)*class\\s+(\\w+)\\b[^{]*"
              + "\\b(?:implements|extends)\\s[^{]*Scenario\\b",
          Pattern.MULTILINE);
  private static final int ERRORS = 5;

  /**
   * Finds the scenario's name in its source.
   *
   * @throws HiplabException when there is no class that implements Scenario
   */
  static ScenarioSource of(String text) {
    Matcher type = CLASS.matcher(text);
    if (!type.find()) {
      throw new HiplabException(
          "the source holds no class that implements Scenario; begin it with"
              + " 'import dev.hiplab.*; import dev.hiplab.scenario.*;' and write"
              + " 'public final class Mine extends SourcedScenario { ... }'");
    }
    Matcher itsPackage = PACKAGE.matcher(text);
    String prefix = itsPackage.find() ? itsPackage.group(1) + "." : "";
    return new ScenarioSource(text, prefix + type.group(1));
  }

  /** The file that the source belongs in. */
  String fileName() {
    return className.substring(className.lastIndexOf('.') + 1) + ".java";
  }

  /**
   * Compiles it and makes the scenario.
   *
   * @param classes folder for the class files
   * @throws HiplabException with the compiler's words when it does not compile, or when the class
   *     cannot be made
   */
  Scenario compile(Path classes) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new HiplabException(
          "this is a Java runtime without a compiler; start hiplab with a JDK, or put the compiled"
              + " class on the class path and name it");
    }
    DiagnosticCollector<JavaFileObject> told = new DiagnosticCollector<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(told, Locale.ROOT, null)) {
      List<String> options =
          List.of("-d", classes.toString(), "-cp", classPath(), "-proc:none", "-Xlint:none");
      if (!compiler.getTask(null, files, told, options, null, List.of(new Text())).call()) {
        throw new HiplabException(className + " does not compile: " + errors(told));
      }
    } catch (IOException e) {
      throw new HiplabException(className + " cannot be compiled: " + e.getMessage(), e);
    }
    return load(classes);
  }

  private Scenario load(Path classes) {
    try {
      URL[] where = {classes.toUri().toURL()};
      // Not closed: the scenario may load more classes for as long as it is used.
      URLClassLoader loader = new URLClassLoader(where, Scenario.class.getClassLoader());
      Object made = Class.forName(className, true, loader).getDeclaredConstructor().newInstance();
      return (Scenario) made;
    } catch (IOException | ReflectiveOperationException | ClassCastException | LinkageError e) {
      Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
      throw new HiplabException(
          className
              + " cannot be made a scenario: it needs a public class that implements Scenario, with"
              + " a public constructor without parameters ("
              + Sentences.of(cause)
              + ")",
          e);
    }
  }

  private final class Text extends SimpleJavaFileObject {
    Text() {
      super(URI.create("string:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static String errors(DiagnosticCollector<JavaFileObject> told) {
    return told.getDiagnostics().stream()
        .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
        .limit(ERRORS)
        .map(one -> "line " + one.getLineNumber() + ": " + one.getMessage(Locale.ROOT))
        .collect(joining("; "));
  }

  /** Of this JVM, and the place of these classes, which a notebook's kernel may load by itself. */
  private static String classPath() {
    Set<String> entries = new LinkedHashSet<>();
    try {
      entries.add(
          Path.of(Scenario.class.getProtectionDomain().getCodeSource().getLocation().toURI())
              .toString());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    entries.addAll(List.of(System.getProperty("java.class.path", "").split(File.pathSeparator)));
    return String.join(File.pathSeparator, entries);
  }

  /** Reads a file's source. */
  static ScenarioSource read(Path file) {
    try {
      return of(Files.readString(file));
    } catch (IOException e) {
      throw new HiplabException(
          file + " cannot be read (" + e + "); name a .java file with a scenario's source", e);
    }
  }
}
