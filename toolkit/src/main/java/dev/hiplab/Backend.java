package dev.hiplab;

import dev.hiplab.bindings.BackendRef;
import dev.hiplab.bindings.Native;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * One backend: parts in chosen forms over one provider of the ROCm driver table. Thread-safe.
 *
 * <p>Closing it waits for all work and closes every stream, event, matrix and graph made from it; a
 * later use of one of those says that it is closed.
 */
public final class Backend implements AutoCloseable {
  private static final AtomicInteger IDS = new AtomicInteger();
  private static Backend shared; // guarded by the class

  final Owner owner = new Owner();
  final AtomicInteger matrixIds = new AtomicInteger();
  final AtomicInteger streamIds = new AtomicInteger();
  final AtomicInteger eventIds = new AtomicInteger();
  final AtomicInteger graphIds = new AtomicInteger();
  private final AtomicInteger gateIds = new AtomicInteger();

  private final Handle handle;
  private final Cleaner.Cleanable cleanable;
  private final Options options;
  private final Map<String, String> info;
  private final List<Device> devices;
  private final boolean isShared;

  private static final class Handle extends Lifetime {
    final BackendRef ref;
    final Owner children;

    Handle(String name, BackendRef ref, Owner children) {
      super(name, null);
      this.ref = ref;
      this.children = children;
    }

    @Override
    void release() {
      try {
        children.closeAll();
      } finally {
        Native.closeBackend(ref);
      }
    }
  }

  private Backend(Options options, boolean isShared, String more) {
    NativeLibrary.load();
    Forms.requireOfEveryPart(options.forms());
    this.options = options;
    this.isShared = isShared;
    BackendRef ref = Native.openBackend(options.toText() + more);
    handle = new Handle("Backend " + IDS.incrementAndGet(), ref, owner);
    info = KeyValues.texts(Native.providerInfo(ref));
    int count = Integer.parseInt(info.getOrDefault("deviceCount", "0"));
    List<Device> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(new Device(this, i));
    }
    devices = Collections.unmodifiableList(all);
    cleanable = handle.watch(this);
  }

  /**
   * Opens a backend of its own. All backends of a process share one provider, as they share a GPU.
   *
   * @throws HiplabException naming an unknown driver, profile, part or form and what is allowed
   */
  public static Backend open(Options options) {
    Require.given(options, "Backend.open", "options");
    return new Backend(options, false, "");
  }

  /**
   * One beside others whose traces count: all parts FIXED, calls neither counted nor made to fail,
   * nothing on stderr.
   */
  static Backend openBeside(Options options) {
    Options plain = options.withForms(Map.of()).withCountCalls(false).withFailCall("");
    return new Backend(plain, false, "quiet=1\n");
  }

  /**
   * The process's default backend, made of {@link Options#defaults()} by the first call. It lives
   * as long as the process (ROCm's own static teardown does not survive a late close), so its
   * {@link #close} does nothing. A failure is not remembered: the next call tries again.
   */
  public static synchronized Backend shared() {
    if (shared == null) {
      shared = new Backend(Options.defaults(), true, "");
    }
    return shared;
  }

  /**
   * Every provider that the options' driver would look at, in order, without opening one: keys
   * {@code candidate.<n>.name}, {@code .usable} (0 or 1) and {@code .reason}.
   */
  public static Map<String, String> probe(Options options) {
    Require.given(options, "Backend.probe", "options");
    NativeLibrary.load();
    return KeyValues.texts(Native.probeDrivers(options.toText()));
  }

  /** Parts of a backend that have more than one form, and the forms of each. */
  public static Map<String, List<String>> formParts() {
    NativeLibrary.load();
    Map<String, List<String>> parts = new LinkedHashMap<>();
    for (Map.Entry<String, String> part : KeyValues.texts(Native.formParts()).entrySet()) {
      List<String> forms = new ArrayList<>();
      String names = part.getValue();
      int from = 0;
      while (from <= names.length()) {
        int comma = names.indexOf(',', from);
        int end = comma < 0 ? names.length() : comma;
        forms.add(names.substring(from, end));
        from = end + 1;
      }
      parts.put(part.getKey(), Collections.unmodifiableList(forms));
    }
    return Collections.unmodifiableMap(parts);
  }

  /** The device at an index from 0. Devices are not opened before their first use. */
  public Device device(int index) {
    if (index < 0 || index >= devices.size()) {
      throw new HiplabException(
          "there is no device " + index + ": this backend has " + countOf(devices.size()));
    }
    return devices.get(index);
  }

  /**
   * The same without the check here: the native layer says what is wrong with the index, at the
   * first use (mlxcel 2197). For those who look at what it does with one that is out of range.
   */
  public Device deviceUnchecked(int index) {
    return new Device(this, index);
  }

  public List<Device> devices() {
    return devices;
  }

  /** What it was opened with. */
  public Options options() {
    return options;
  }

  /**
   * The forms in use: {@code all parts FIXED}, {@code all parts FILED}, or the parts that are not
   * FIXED and theirs.
   */
  public String forms() {
    return Forms.inWords(options.forms(), formParts());
  }

  /** Whether every part is FIXED, which goes without saying in most places. */
  public boolean allFixed() {
    return Forms.allFixed(options.forms());
  }

  /** One line: provider, device, why this provider, and the forms in use. */
  public String describe() {
    BackendRef ref = use();
    try {
      return Native.describe(ref) + ", " + forms();
    } finally {
      done();
    }
  }

  /**
   * What is known of the provider: {@code provider}, {@code detail}, {@code reason}, {@code
   * deviceCount}, {@code version.<library>}.
   */
  public Map<String, String> info() {
    return info;
  }

  /**
   * What was counted so far: {@code route.<name>} (GEMMs that took it), {@code handles.<kind>}
   * (objects made, ever), {@code ended.<kind>} (of those, destroyed; encoders alone), {@code
   * live.<kind>} (objects that the software device knows), {@code calls.<function>}, {@code
   * gemm.<stream>}, {@code created.<library>.<device>}, {@code workspace.<what>} and {@code
   * descriptor.<what>} (with {@link Options#countCalls}; {@code hiplab.h} of the native layer says
   * what each counts), {@code faults.calls} and {@code faults.injected} (with {@link
   * Options#failCall}).
   */
  public Map<String, Long> counters() {
    BackendRef ref = use();
    try {
      return KeyValues.numbers(Native.counters(ref));
    } finally {
      done();
    }
  }

  /**
   * Waits for the streams of all opened devices, then frees the workspaces and temporaries that
   * these keep for them. Streams that are capturing are left alone; what a call uses that is
   * enqueuing meanwhile is left to the next clear, or to the end of its stream. The others stay
   * usable and ask again for what they need; but in a capture nothing may be allocated, and a GEMM
   * that finds no workspace takes the fallback route: run one on the stream first, as before its
   * first capture.
   */
  public void clearStreams() {
    BackendRef ref = use();
    try {
      Native.clearStreams(ref);
    } catch (HiplabException e) {
      throw new HiplabException("clearStreams of " + handle.name() + ": " + e.getMessage(), e);
    } finally {
      done();
    }
  }

  /**
   * What went wrong in callbacks of {@link Stream#gemmInCallback}, in order: the first 64, each in
   * one line. The counter {@code callback.errors} has their number.
   */
  public List<String> callbackErrors() {
    BackendRef ref = use();
    try {
      return Native.callbackErrors(ref).lines().collect(Collectors.toUnmodifiableList());
    } finally {
      done();
    }
  }

  /** A new closed gate for {@link Stream#waitAt}. Closing the backend opens it. */
  public HostGate hostGate() {
    return new HostGate(this, gateIds.incrementAndGet());
  }

  /** Streams, events, matrices and graphs that became unreachable unclosed and were freed since. */
  public long forgotten() {
    return owner.forgottenCount();
  }

  BackendRef use() {
    handle.use();
    return handle.ref;
  }

  void done() {
    handle.done();
  }

  @Override
  public void close() {
    if (isShared) {
      return;
    }
    try {
      handle.close();
    } finally {
      cleanable.clean();
    }
  }

  @Override
  public String toString() {
    if (!handle.tryUse()) {
      return handle.name() + " (closed)";
    }
    try {
      return handle.name() + ": " + Native.describe(handle.ref) + ", " + forms();
    } finally {
      handle.done();
    }
  }

  private static String countOf(int devices) {
    return devices == 1 ? "1 device, index 0" : devices + " devices, 0 to " + (devices - 1);
  }
}
