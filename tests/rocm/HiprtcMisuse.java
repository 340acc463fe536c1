import static dev.hiplab.rocm.HipRtc.*;

import dev.hiplab.rocm.hiprtcProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.SizeTPointer;

/** What a person gets wrong with hiprtc, and eight threads that compile. Says each status. */
public final class HiprtcMisuse {
  private static final String SOURCE =
      "extern \"C\" __global__ void twice(float* x) { x[threadIdx.x] *= 2.0f; }";
  private static final String KNOWN = "--offload-arch=gfx1151";

  public static void main(String[] arguments) throws Exception {
    say("null program", compile(null, KNOWN));
    say("no architecture", compile(program(SOURCE)));
    for (String arch : new String[] {"gfx9999", "gfx1250", "", "amdgcn", "gfx1151:xnack-", "native"}) {
      say("architecture " + arch, compile(program(SOURCE), "--offload-arch=" + arch));
    }
    hiprtcProgram option = program(SOURCE);
    say("wrong option", compile(option, KNOWN, "--no-such-option"));
    System.out.println("log " + log(option).replace('\n', ' '));
    hiprtcProgram source = program("extern \"C\" __global__ void broken(float* x) { x[0] = y; }");
    say("wrong source", compile(source, KNOWN));
    System.out.println("log " + log(source).replace('\n', ' '));
    say("code of it", codeBytes(source));
    hiprtcProgram early = program(SOURCE);
    say("code before compiling", codeBytes(early));
    say("destroy", hiprtcDestroyProgram(early));
    say("right", compile(program(SOURCE), KNOWN));
    say("eight threads", eight());
    System.out.println("all said");
  }

  private static void say(String what, int status) {
    System.out.println(what + " -> " + status);
  }

  private static hiprtcProgram program(String source) {
    hiprtcProgram program = new hiprtcProgram();
    hiprtcCreateProgram(program, source, "misuse.hip", 0, null, null);
    return program;
  }

  private static int compile(hiprtcProgram program, String... options) {
    List<BytePointer> texts = new ArrayList<>();
    for (String option : options) {
      texts.add(new BytePointer(option));
    }
    try (PointerPointer<BytePointer> list =
        new PointerPointer<>(texts.toArray(new BytePointer[0]))) {
      return hiprtcCompileProgram(program, options.length, list);
    }
  }

  private static String log(hiprtcProgram program) {
    SizeTPointer bytes = new SizeTPointer(1);
    hiprtcGetProgramLogSize(program, bytes);
    BytePointer text = new BytePointer(bytes.get() + 1).zero();
    hiprtcGetProgramLog(program, text);
    return text.getString();
  }

  private static int codeBytes(hiprtcProgram program) {
    return hiprtcGetCodeSize(program, new SizeTPointer(1));
  }

  // The first status that is none of success.
  private static int eight() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<Integer>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Callable<Integer> task = () -> compile(program(SOURCE), KNOWN);
      all.add(threads.submit(task));
    }
    int status = 0;
    for (Future<Integer> each : all) {
      status = status == 0 ? each.get() : status;
    }
    threads.shutdown();
    return status;
  }
}
