import dev.hiplab.Kernel;
import dev.hiplab.rocm.RawCalls;
import java.lang.reflect.AccessibleObject;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Compiles every kernel of the project for each architecture that is named. Says of each: its name,
 * the architecture, what the code object's header holds (its machine and its flags), its bytes, and
 * whether the kernel's name is in it.
 */
public final class CompileKernels {
  private static final int MACHINE = 18; // offset in an ELF header, 2 bytes
  private static final int FLAGS = 48; // 4 bytes, of which AMDGPU has the processor in the last

  public static void main(String[] architectures) throws Exception {
    System.out.println(RawCalls.describe());
    Map<String, Kernel> kernels = kernels();
    for (String arch : architectures) {
      for (Kernel kernel : kernels.values()) {
        byte[] code = kernel.compileFor(arch);
        String text = new String(code, java.nio.charset.StandardCharsets.ISO_8859_1);
        System.out.println(
            "compiled "
                + String.join(
                    " ",
                    kernel.name(),
                    arch,
                    text.startsWith("\177ELF") ? "ELF" : "other",
                    "" + ((code[MACHINE] & 0xff) | (code[MACHINE + 1] & 0xff) << 8),
                    "" + (code[FLAGS] & 0xff),
                    "" + code.length,
                    text.contains(kernel.name()) ? "named" : "nameless"));
      }
    }
  }

  // The backend's, and those of the findings and of doctor, which are not public.
  private static Map<String, Kernel> kernels() throws Exception {
    Map<String, Kernel> kernels = new LinkedHashMap<>();
    kernels.put("backend", Kernel.gemm());
    Class<?> user = Class.forName("dev.hiplab.findings.EventUser");
    for (String name : new String[] {"WRITE", "CHECK"}) {
      var field = open(user.getDeclaredField(name));
      kernels.put(name, Kernel.of((String) field.get(null), name.toLowerCase(java.util.Locale.ROOT)));
    }
    Class<?> probe = Class.forName("dev.hiplab.findings.ProbeKernel");
    var source = open(probe.getDeclaredMethod("source", String.class));
    var trial = open(Class.forName("dev.hiplab.doctor.KernelTrial").getDeclaredField("SOURCE"));
    kernels.put("trial", Kernel.of((String) trial.get(null), "twice"));
    kernels.put("probe", Kernel.of((String) source.invoke(null, "probe_0"), "probe_0"));
    return kernels;
  }

  private static <T extends AccessibleObject> T open(T member) {
    member.setAccessible(true);
    return member;
  }
}
