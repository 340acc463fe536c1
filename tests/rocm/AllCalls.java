import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.bytedeco.javacpp.FunctionPointer;
import org.bytedeco.javacpp.Pointer;

/**
 * Makes every raw call once, with what a program could hold that got no device: room for results,
 * zeros, no handles. Says each call before it is made, so that one that ends the process is known.
 * Arguments: names of calls to leave out.
 */
public final class AllCalls {
  private static final String[] CLASSES = {"Hip", "HipRtc", "RocBlas", "HipBlasLt"};

  public static void main(String[] leaveOut) throws Exception {
    for (String name : CLASSES) {
      for (Method call : calls(Class.forName("dev.hiplab.rocm." + name)).values()) {
        if (!Arrays.asList(leaveOut).contains(call.getName())) {
          make(call);
        }
      }
    }
    System.out.println("all made");
  }

  // One method a function: JavaCPP offers several for pointers to numbers.
  private static Map<String, Method> calls(Class<?> type) {
    Map<String, Method> calls = new TreeMap<>();
    Arrays.stream(type.getDeclaredMethods())
        .filter(m -> Modifier.isNative(m.getModifiers()) && Modifier.isPublic(m.getModifiers()))
        .filter(m -> Modifier.isStatic(m.getModifiers()))
        .sorted(Comparator.comparing(AllCalls::pointers))
        .forEach(m -> calls.put(m.getName(), m));
    return calls;
  }

  private static long pointers(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .filter(Pointer.class::isAssignableFrom)
        .count();
  }

  private static void make(Method call) throws IllegalAccessException {
    Object[] arguments =
        Arrays.stream(call.getParameterTypes()).map(AllCalls::argument).toArray();
    System.out.println("call " + call.getName());
    try {
      Object result = call.invoke(null, arguments);
      System.out.println(
          "done " + call.getName() + " " + (result instanceof Pointer ? "text" : result));
    } catch (InvocationTargetException e) {
      System.out.println("done " + call.getName() + " " + e.getCause());
    }
  }

  private static Object argument(Class<?> type) {
    if (type == int.class) {
      return 0;
    }
    if (type == long.class) {
      return 0L;
    }
    if (type == float.class) {
      return 0f;
    }
    if (type == String.class) {
      return "";
    }
    if (FunctionPointer.class.isAssignableFrom(type) || !Pointer.class.isAssignableFrom(type)) {
      return null;
    }
    return room(type);
  }

  private static Pointer room(Class<?> type) {
    for (Object[] given : new Object[][] {{1024L}, {}}) {
      try {
        Class<?>[] types = given.length == 0 ? new Class<?>[0] : new Class<?>[] {long.class};
        Pointer pointer = (Pointer) type.getConstructor(types).newInstance(given);
        return pointer.isNull() ? pointer : pointer.zero();
      } catch (ReflectiveOperationException e) {
        // The other constructor, or none: a null pointer.
      }
    }
    return null;
  }
}
