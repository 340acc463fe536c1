package dev.hiplab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The shape that the display APIs of JJava and IJava share, as far as {@link Kernel} uses it. The
 * real kernels are driven by tests/notebooks_test.py.
 */
public class FakeKernel {
  public static class DisplayData {
    public final Map<String, Object> data = new LinkedHashMap<>();
    public String id;

    public void putData(String mime, Object value) {
      data.put(mime, value);
    }

    public DisplayData setDisplayId(String value) {
      id = value;
      return this;
    }
  }

  public interface RenderFunction<T> {
    void render(T value, RenderContext context);
  }

  public static class RenderContext {
    private final DisplayData out = new DisplayData();

    public DisplayData getOutputContainer() {
      return out;
    }
  }

  public static class Renderer {
    private final Map<Class<?>, RenderFunction<Object>> functions = new LinkedHashMap<>();

    public <T> RenderRegistration<T> createRegistration(Class<T> type) {
      return new RenderRegistration<>(this, type);
    }

    public DisplayData render(Object value) {
      RenderContext context = new RenderContext();
      functions.forEach(
          (type, function) -> {
            if (type.isInstance(value)) {
              function.render(value, context);
            }
          });
      return context.getOutputContainer();
    }
  }

  public static class RenderRegistration<T> {
    private final Renderer renderer;
    private final Class<T> type;

    RenderRegistration(Renderer renderer, Class<T> type) {
      this.renderer = renderer;
      this.type = type;
    }

    public RenderRegistration<T> preferring(String... mimes) {
      return this;
    }

    @SuppressWarnings("unchecked")
    public void register(RenderFunction<T> function) {
      renderer.functions.put(type, (RenderFunction<Object>) function);
    }
  }

  public static class Io {
    public final DisplayStream display = new DisplayStream();
  }

  public static class DisplayStream {
    public final List<String> updates = new ArrayList<>();

    public void updateDisplay(String id, DisplayData data) {
      updates.add(id + " " + data.data.get("text/plain"));
    }
  }

  public final Renderer renderer = new Renderer();
  public final Io io = new Io();
  public final List<DisplayData> shown = new ArrayList<>();

  public Renderer getRenderer() {
    return renderer;
  }

  public Io getIO() {
    return io;
  }

  public void display(DisplayData data) {
    shown.add(data);
  }
}
