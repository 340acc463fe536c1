package dev.hiplab.report;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The notebook kernel that runs this JVM, found by reflection: no class of a kernel is needed to
 * compile or to run. JJava and IJava have display APIs of one shape in different packages, so the
 * package is taken from the class of the kernel's own renderer.
 */
final class Kernel {
  /** Where kernels keep themselves: class, and a static method without arguments. */
  private static final String[][] PLACES = {
    {"org.dflib.jjava.jupyter.kernel.BaseKernel", "notebookKernel"}, // JJava 1.0-a6 and later
    {"org.dflib.jjava.JJava", "getKernelInstance"}, // JJava up to 1.0-a5
    {"io.github.spencerpark.ijava.IJava", "getKernelInstance"}, // IJava
  };

  private final Object kernel;
  private final Object renderer;
  private final ClassLoader loader;
  private final String prefix; // of the names of the display API

  private Kernel(Object kernel) throws ReflectiveOperationException {
    this.kernel = kernel;
    this.renderer = call(kernel, "getRenderer");
    Class<?> api = renderer.getClass();
    while (!api.getSimpleName().equals("Renderer")) { // a kernel may subclass it
      api = api.getSuperclass();
    }
    this.loader = api.getClassLoader();
    String name = api.getName();
    this.prefix = name.substring(0, name.length() - "Renderer".length());
  }

  /**
   * The holder looks once, on first use, and registers how our values and the libraries' render.
   */
  private static final class Found {
    static final Optional<Kernel> KERNEL = findAndRegister();

    private static Optional<Kernel> findAndRegister() {
      Optional<Kernel> kernel = find(Kernel.class.getClassLoader());
      kernel.ifPresent(found -> Renderings.REGISTERED.forEach(found::registerNamed));
      return kernel;
    }
  }

  /** Empty in jshell and in a plain JVM. */
  static Optional<Kernel> current() {
    return Found.KERNEL;
  }

  static Optional<Kernel> find(ClassLoader loader) {
    for (String[] place : PLACES) {
      try {
        // initialize=false: a class that fails to link must not stick, and one of another kernel
        // must not start anything.
        Object kernel = Class.forName(place[0], false, loader).getMethod(place[1]).invoke(null);
        if (kernel != null) {
          return Optional.of(new Kernel(kernel));
        }
      } catch (ReflectiveOperationException | LinkageError | RuntimeException absent) {
        // not this kernel: the next place, or text
      }
    }
    return Optional.empty();
  }

  /** Shows data now, as an output of the running cell. */
  void display(Map<String, Object> data) throws ReflectiveOperationException {
    displayData(data, null);
  }

  /** Shows data now, under an id with which {@link #update} can replace it. */
  void display(Map<String, Object> data, String id) throws ReflectiveOperationException {
    displayData(data, id);
  }

  private void displayData(Map<String, Object> data, String id)
      throws ReflectiveOperationException {
    Class<?> type = api("DisplayData");
    Object bundle = bundle(data);
    if (id != null) {
      call(bundle, "setDisplayId", String.class, id);
    }
    call(kernel, "display", type, bundle);
  }

  void update(Map<String, Object> data, String id) throws ReflectiveOperationException {
    Object io = call(kernel, "getIO");
    Object stream = io.getClass().getField("display").get(io);
    Class<?>[] types = {String.class, api("DisplayData")};
    accessible(stream.getClass().getMethod("updateDisplay", types))
        .invoke(stream, id, bundle(data));
  }

  private Object bundle(Map<String, Object> data) throws ReflectiveOperationException {
    Object bundle = api("DisplayData").getConstructor().newInstance();
    fill(bundle, data);
    return bundle;
  }

  private void fill(Object bundle, Map<String, Object> data) throws ReflectiveOperationException {
    Method put = api("DisplayData").getMethod("putData", String.class, Object.class);
    for (Map.Entry<String, Object> entry : data.entrySet()) {
      put.invoke(bundle, entry.getKey(), entry.getValue());
    }
  }

  void registerNamed(String className, Function<Object, Map<String, Object>> rendering) {
    try {
      register(Class.forName(className, false, Kernel.class.getClassLoader()), rendering);
    } catch (ReflectiveOperationException | LinkageError | RuntimeException absent) {
      // an optional library is not there, so no value of it can turn up either
    }
  }

  /** Makes values of {@code type} that a cell returns render as {@code rendering} says. */
  void register(Class<?> type, Function<Object, Map<String, Object>> rendering)
      throws ReflectiveOperationException {
    Class<?> functionType = api("RenderFunction");
    Object function =
        Proxy.newProxyInstance(
            loader,
            new Class<?>[] {functionType},
            (proxy, method, arguments) -> {
              if (method.getDeclaringClass() == Object.class) {
                return ofObject(proxy, method, arguments);
              }
              render(arguments[0], arguments[1], rendering);
              return null;
            });
    Object registration = call(renderer, "createRegistration", Class.class, type);
    String[] preferred = {"text/html", "image/png", "text/plain"};
    call(registration, "preferring", String[].class, preferred);
    call(registration, "register", functionType, function);
  }

  /** An Error while a value renders would end the kernel's shell thread and hang the notebook. */
  private void render(Object value, Object context, Function<Object, Map<String, Object>> rendering)
      throws ReflectiveOperationException {
    Map<String, Object> data = Renderings.orText(value, rendering);
    Object bundle = call(context, "getOutputContainer");
    fill(bundle, data);
  }

  private static Object ofObject(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "equals" -> proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "hiplab rendering";
    };
  }

  private static Object call(Object target, String name) throws ReflectiveOperationException {
    return accessible(target.getClass().getMethod(name)).invoke(target);
  }

  private static Object call(Object target, String name, Class<?> type, Object argument)
      throws ReflectiveOperationException {
    return accessible(target.getClass().getMethod(name, type)).invoke(target, argument);
  }

  /** A kernel's class may override public methods without being public itself. */
  private static Method accessible(Method method) {
    method.trySetAccessible();
    return method;
  }

  private Class<?> api(String name) throws ClassNotFoundException {
    return Class.forName(prefix + name, true, loader);
  }
}
