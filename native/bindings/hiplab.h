// The one header that JavaCPP binds: plain functions over opaque references.
//
// Kept plain on purpose (no templates, no spans, no callbacks): JavaCPP's parser reads it. Every
// function throws hiplab::Error (driver/error.h), which reaches Java as dev.hiplab.HiplabException
// with its sentence, and with the failed call and its status if there is one (java_exception.h).
// From Java, dev.hiplab.NativeLibrary.load() comes before the first call (the other classes of
// dev.hiplab see to it): it loads the libraries, in the place of JavaCPP's own loader. Unless a
// line says otherwise a function may be called from any thread; freeing a reference while another
// thread uses it is the caller's error, and dev.hiplab guards against it.
//
// Matrices are row-major and dense. Element types: 0 = f32, 1 = f16, 2 = bf16, 3 = f8 (E4M3; inputs
// of a GEMM only, its result is bf16).
#pragma once

#include <cstdint>
#include <string>

#include "bindings/java_exception.h"  // for the stubs; the parser follows no include

namespace hiplab::bindings {

struct BackendRef;     // one backend: parts in chosen forms over one driver provider
struct StreamRef;      // a command stream of one device
struct EventRef;       // a device event, with or without timing
struct BufferRef;      // a block of device memory
struct CandidatesRef;  // what the heuristic offers for one GEMM
struct TuneRef;        // a GEMM that is being tuned in bounded time
struct GraphRef;       // captured work that can be launched again
struct KernelRef;      // a HIP kernel from source
struct CodeRef;        // what a kernel was compiled to
struct ArgumentsRef;   // the arguments of a launch
struct GateRef;        // what a host callback waits for
struct ScheduleRef;    // an order that is forced on the threads of this process
struct TraceRef;       // notes of who called, what ran, and which points were passed

// ---- backend -----------------------------------------------------------------------------------

// options: one "key=value" per line. Keys: driver (auto|rocm|host), profile (host: gfx1151|splitk),
// host_devices (1..16), host_arch, count_calls (0|1), form (FIXED|FILED, for every part),
// form.<part> (one part; see formParts), fail_call, quiet (0|1: the backend says nothing on
// stderr). Unknown keys and values are errors that name what is allowed. With the software device,
// a missing OpenBLAS is an error too.
//
// host_arch is the architecture that the software device tells in place of its profile's, all else
// being as the profile says; at most 40 letters, digits, '-', ':' and '+'. With gfx1010 rocBLAS has
// no kernels and hiprtc compiles, with a name that hiprtc does not know either nothing takes an f32
// GEMM. A process has one software device: a second profile, number or architecture is an error.
//
// fail_call makes a driver call fail without being made, to see what comes of it:
// "[function#]n[+|-last]:status" fails the nth call after opening (with +, every one from there on;
// with -last, those up to that one) of any function or of that one. With a function the status is
// one that it may return, another is an error that names those; over every function it is HIP's,
// and rocBLAS, hipBLASLt and hiprtc answer in their own words. One backend of a process at a time.
BackendRef* openBackend(const std::string& options);

// Waits for all streams, then frees what the backend owns. References made from it die first.
void closeBackend(BackendRef* backend);

// One line: provider, device, and why this provider.
std::string describe(BackendRef* backend);

// "key=value" lines: provider, detail, reason, deviceCount, version.<library>.
std::string providerInfo(BackendRef* backend);

// "key=value" lines, one group a provider that openBackend would look at with these options, in
// order: candidate.<n>.name, .usable (0|1), .reason. Opens nothing: a backend with other options
// can be opened afterwards. A driver that was asked for and is not usable is no error here.
std::string probeDrivers(const std::string& options);

// "key=value" lines: name, arch, totalBytes, multiprocessors, warpSize.
std::string deviceInfo(BackendRef* backend, int device);

// Whether the device has native WMMA, as the part device-traits answers: the question that
// attention and quantized GEMMs ask before they choose their kernel (mlxcel 2198).
bool hasNativeWmma(BackendRef* backend, int device);

// Whether hipBLASLt has GEMMs of that element type, as the part capability-probe answers: the
// question that chooses the fp8 route before any GEMM (mlxcel 2200). Throws what the probe throws.
bool hasBlasLtGemm(BackendRef* backend, int device, int type);

// "part=FORM,FORM" lines: parts that have more than one form, and the forms of each.
std::string formParts();

// "key=value" lines: route.<name> (GEMMs that took it), handles.<kind> (objects made, ever),
// ended.<kind> (of those, destroyed: encoders alone), callback.errors, live.<kind> (software
// device), faults.calls and faults.injected (with fail_call). With count_calls also, of the
// process: calls.<function>; gemm.own-stream and gemm.other-stream (GEMMs of rocBLAS and hipBLASLt,
// by whether they ran on the stream that they were enqueued on); created.rocblas.device-<n> and
// created.hipblaslt.device-<n> (handles made while device n was current; absent where there was
// none); and of the calls of hipblasLtMatmul, by what they were given as they began:
// workspace.blocks (blocks of memory that were given, ever), workspace.freed (calls with one that
// was not allocated then), workspace.past-the-end (with more bytes than its block has from there),
// workspace.two-streams (with a block that another stream used last and nothing that orders the
// two: neither a wait of the host nor an event), descriptor.destroyed and
// descriptor.destroyed-during (with a descriptor or layout that was destroyed, or none, or
// destroyed before the call returned), descriptor.two-threads (while another thread was inside with
// the same descriptor). A captured call counts as its stream's, the launches of its graph do not.
// An address that is allocated or created again is as good as new, so that a use of the former one
// is not seen.
std::string counters(BackendRef* backend);

// Waits for the streams of all opened devices, then frees the workspaces and temporaries that these
// keep for them. Streams that are capturing are left alone; what a call uses that is enqueuing
// meanwhile is left to the next clear, or to the end of its stream. The others stay usable and ask
// again for what they need; but in a capture nothing may be allocated, and a GEMM that finds no
// workspace takes the fallback route: run one on the stream first, as before its first capture.
void clearStreams(BackendRef* backend);

// ---- memory ------------------------------------------------------------------------------------

// bytes > 0. Contents are undefined.
BufferRef* allocate(BackendRef* backend, int device, int64_t bytes);

// Frees at once as hipFree does: waits until no queued work can still use the block.
void freeBuffer(BufferRef* buffer);
int64_t bufferBytes(BufferRef* buffer);

// The length of a host array is not checked in copyIn, copyOut and cblasSgemm, as only its address
// comes through: one that is too short makes them read or write foreign memory, from Java as well.

// Host to device: converts count floats to the element type and copies them to the buffer's start,
// in stream order. Returns when the copy has been made (pageable memory).
void copyIn(StreamRef* stream, BufferRef* dst, const float* src, int64_t count, int type);

// Device to host, converted to float, in stream order. Waits for the stream, and for nothing else.
void copyOut(StreamRef* stream, BufferRef* src, float* dst, int64_t count, int type);

// Sets every byte of the buffer, in stream order. 0xFF makes NaN of every element type.
void fillBytes(StreamRef* stream, BufferRef* dst, int value);

// ---- streams and events ------------------------------------------------------------------------

StreamRef* createStream(BackendRef* backend, int device);
void destroyStream(StreamRef* stream);  // waits, then releases the stream's workspace
void synchronizeStream(StreamRef* stream);
bool streamIdle(StreamRef* stream);

EventRef* createEvent(BackendRef* backend, int device, bool timing);
void destroyEvent(EventRef* event);

// Takes the event over: a static object destroys it while the process exits, after the statics that
// were made later than this library (mlxcel 2197). Until then it counts as open, so that its
// backend cannot be closed.
void keepEventUntilExit(EventRef* event);
void recordEvent(EventRef* event, StreamRef* stream);
void waitEvent(StreamRef* stream, EventRef* event);  // device-side wait
bool eventDone(EventRef* event);
void synchronizeEvent(EventRef* event);
float elapsedMillis(EventRef* start, EventRef* stop);

// ---- GEMM --------------------------------------------------------------------------------------

// C = alpha op(A) op(B) + beta C, row-major, batch times with dense strides, accumulated in f32.
// op(A) is m x k, op(B) is k x n, C is m x n; C has the inputs' element type (f8: bf16). Enqueues
// on the stream and returns. Checks that the buffers are large enough and on the stream's device.
void gemm(StreamRef* stream, int type, bool transA, bool transB, int64_t m, int64_t n, int64_t k,
          int64_t batch, float alpha, BufferRef* a, BufferRef* b, float beta, BufferRef* c);

// What hipBLASLt's heuristic offers for that GEMM on the stream's device, at most `requested` with
// at most capBytes of workspace, to be run one by one on any stream of the device.
CandidatesRef* queryCandidates(StreamRef* stream, int type, bool transA, bool transB, int64_t m,
                               int64_t n, int64_t k, int64_t batch, int requested,
                               int64_t capBytes);
void destroyCandidates(CandidatesRef* candidates);

// One line a candidate, in the library's order: "index workspaceBytes waves solution name", where
// the solution is the library's own index (as hipblaslt-bench counts it), -1 when it tells none,
// and the name its own, "-" when it tells none.
std::string candidateLines(CandidatesRef* candidates);

// Enqueues the GEMM with candidate `index` and returns. An error when its workspace cannot be had
// or the library refuses: no other algorithm or library takes over. Thread-safe; calls on the same
// candidates take turns.
void gemmWith(CandidatesRef* candidates, int index, StreamRef* stream, float alpha, BufferRef* a,
              BufferRef* b, float beta, BufferRef* c);

// Measures at most `requested` candidates of that GEMM on the stream, `repetitions` times each, and
// keeps the fastest for later GEMMs of this shape: one line a candidate, "index workspaceBytes
// waves solution name medianMs lowerMs upperMs chosen skipped", with the quartiles of the times,
// where medianMs is -1 and `skipped` says why when it could not be measured. C is not written.
// Waits for the stream.
std::string tune(StreamRef* stream, int type, bool transA, bool transB, int64_t m, int64_t n,
                 int64_t k, int64_t batch, BufferRef* a, BufferRef* b, BufferRef* c, int requested,
                 int repetitions);

// Begins to tune that GEMM in bounded time (MIOpen 12265), with operands of its own: at most
// `requested` candidates with at most capBytes of workspace, each on a disposable stream of the
// device and for at most boundNanos, its wait for that stream included. What overruns is abandoned
// with all that it uses, and nothing waits for it. Spoils no capture, whoever has it open. An error
// when a capture keeps hipBLASLt from having a handle. One thread at a time uses the reference.
TuneRef* beginTune(BackendRef* backend, int device, int type, bool transA, bool transB, int64_t m,
                   int64_t n, int64_t k, int64_t batch, int requested, int repetitions,
                   int64_t boundNanos, int64_t capBytes);

// Measures the next candidate: a line as of tune, not chosen yet; empty when there is none left.
std::string tuneNext(TuneRef* tune);

// Keeps the fastest so far for later GEMMs of this shape, and returns its index. An error when none
// was measured.
int keepFastest(TuneRef* tune);

// Waits for nothing: what still runs is given back later.
void endTune(TuneRef* tune);

// Looks whether the heuristic still offers the winner of an earlier tune under the same count and
// cap: the candidate with that solution index, that workspace and, where both tell one, that name
// (as of tune's lines; empty: none). An error that says what it offers when it does not. With
// `apply`, later GEMMs of that shape take it.
void useWinner(BackendRef* backend, int device, int type, bool transA, bool transB, int64_t m,
               int64_t n, int64_t k, int64_t batch, int requested, int64_t capBytes, int solution,
               const std::string& name, int64_t workspaceBytes, bool apply);

// hipBLASLt's version as the library tells it, such as 100100: solution indices are of one version.
int blasLtVersion(BackendRef* backend, int device);

// The same OpenBLAS that the software device uses, called directly on the calling thread's own
// memory: C = A B, row-major. The reference for benchmarks and oracles. The arrays hold m k, k n
// and m n floats.
void cblasSgemm(int64_t m, int64_t n, int64_t k, const float* a, const float* b, float* c);

// "key=value" lines: library, version, threads of that OpenBLAS.
std::string openblasInfo();

// ---- what the machine has -----------------------------------------------------------------------

// "key=value" lines about ROCm on this machine, without opening a backend. part: one of
//   machine    user; kfd.path, .there, .opens, .owner, .group, .mode (octal), .member (0|1, of its
//              group); dxg.there; render.folder and render.<n>.* as of kfd; topology.folder,
//              .there, .nodes, .forbidden (nodes that may not be read); gpu.<n>.node, .arch,
//              .simds, .renderMinor; pci.<n>.address (AMD's GPUs)
//   hip, hiprtc, rocblas, hipblaslt
//              loads that library: <part>.state (whole|lacking|broken|old|missing), .name,
//              .packages, and .path, .soname, .fileVersion, .version, or .tried; .missing
//              (functions that it lacks). hip.devices, hip.countStatus, hip.device.trouble (why
//              there is none although the node opens), device.<n>.name, .arch. Of the BLAS
//              libraries .kernels.folder, .fromVariable, .merged, .archs and .kernels.<arch>
//              (files)
//   verdict    verdict.usable (0|1), .reason, .detail: what openBackend makes of it
// A key with .trouble says why something does not work, the one with .step what to do. A library of
// an unknown make may end the process that loads it: call this in a process of its own.
// places: lines that point elsewhere, as tests do: root, kfd, dxg, dri, topology, pci.
std::string rocmInventory(const std::string& part, const std::string& places);

// "key=value" lines: command and version of the C++ compiler that compiles the software device's
// kernels; or missing: why there is none, and the next step.
std::string compilerInfo();

// ---- host callbacks ----------------------------------------------------------------------------

// A closed gate.
GateRef* createGate();

// What waits at the gate goes on, now and later: it stays open.
void openGate(GateRef* gate);

// Opens it. A callback that still has to come to it passes.
void destroyGate(GateRef* gate);

// Whether a callback of waitAtGate has begun.
bool gateReached(GateRef* gate);

// Enqueues a host callback (hipLaunchHostFunc) that blocks until the gate is open, and with it
// everything behind it on the stream and every other callback of the process: HIP runs them one at
// a time. Who waits for the stream meanwhile waits for whoever opens the gate. An error on a stream
// that captures.
void waitAtGate(StreamRef* stream, GateRef* gate);

// Enqueues a host callback on `after` that enqueues that GEMM (see gemm) on `on`, the same stream
// or another one of the backend, as mlxcel's async MoE path does (mlxcel 2200). Arguments are
// checked now. `on` and the buffers must live until `after` has come by. What goes wrong in the
// callback has no caller: see callbackErrors. An error when `after` captures.
void gemmInCallback(StreamRef* after, StreamRef* on, int type, bool transA, bool transB, int64_t m,
                    int64_t n, int64_t k, int64_t batch, float alpha, BufferRef* a, BufferRef* b,
                    float beta, BufferRef* c);

// What went wrong in callbacks of gemmInCallback: one line an error, the first 64 in their order.
// The counter callback.errors has their number.
std::string callbackErrors(BackendRef* backend);

// ---- graphs ------------------------------------------------------------------------------------

// Begins to capture what is enqueued on the stream instead of running it. mode: 0 = global (HIP
// refuses waiting and allocating calls of every thread meanwhile, and such a call spoils the
// capture), 1 = thread-local (of this thread), 2 = relaxed (of none).
void beginCapture(StreamRef* stream, int mode);

// On the thread that began: from another one HIP refuses it (unless the mode is relaxed), and the
// capture goes on. Else it is over, also when it throws because the capture has been spoilt. On the
// stream that it began on: for one that has joined it is an error, and the capture goes on.
GraphRef* endCapture(StreamRef* stream);

// 0 = the stream does not capture, 1 = it does, 2 = it does and has been spoilt. A stream that
// waits for an event recorded in a capture joins that capture.
int captureStatus(StreamRef* stream);

// Enqueues the whole graph. The buffers that it was captured with must live until it has run.
void launchGraph(GraphRef* graph, StreamRef* stream);
void destroyGraph(GraphRef* graph);

// ---- kernels -----------------------------------------------------------------------------------

// One extern "C" __global__ function of a HIP source. options: for hiprtc, separated by blanks. A
// NUL in one of them is an error (the stubs end a Java string at its first NUL: look before).
// Compiled for a device at its first launch there, which throws with the compiler's log on an
// error.
KernelRef* createKernel(const std::string& source, const std::string& name,
                        const std::string& options);
void destroyKernel(KernelRef* kernel);

// The program of the backend's own GEMM kernels, which take a GEMM that no library has.
KernelRef* gemmKernel();

// The kernel's program as a code object for an architecture ("gfx1151"), compiled by what raw calls
// reach (describeRaw): no device of it is needed, nor any. Throws with the compiler's log, and for
// an architecture that hiprtc does not know. The software device compiles for this machine,
// whatever the architecture.
CodeRef* compileKernel(KernelRef* kernel, const std::string& arch);
int64_t codeBytes(CodeRef* code);
void copyCode(CodeRef* code, signed char* out);  // codeBytes(code) bytes
void destroyCode(CodeRef* code);

// Arguments in the kernel's order; each must have the parameter's type, which HIP cannot check. A
// list may serve many launches, one thread at a time. It does not keep its buffers: once one of
// them has been freed, a launch is an error that says so.
ArgumentsRef* createArguments();
void addBuffer(ArgumentsRef* arguments, BufferRef* buffer);
void addInt(ArgumentsRef* arguments, int value);
void addLong(ArgumentsRef* arguments, int64_t value);
void addFloat(ArgumentsRef* arguments, float value);
void addDouble(ArgumentsRef* arguments, double value);
void destroyArguments(ArgumentsRef* arguments);

// Enqueues the kernel on a grid of blocks, and threads of a block; every extent is at least 1.
void launchKernel(StreamRef* stream, KernelRef* kernel, int gridX, int gridY, int gridZ, int blockX,
                  int blockY, int blockZ, ArgumentsRef* arguments);

// ---- disposable streams ------------------------------------------------------------------------

// A stream for an evaluation that is given up when it overruns its time (MIOpen 12265). Waits while
// as many abandoned ones of the device still run as may: GPU_MAX_HW_QUEUES (4 when unset) - 2, at
// least 1. Pass it on to releaseStream or abandonStream, which end the reference; while the stream
// captures or is part of a capture they refuse, and it stays valid.
StreamRef* acquireStream(BackendRef* backend, int device);

// For a stream whose work has ended, which is not checked; waits for nothing. The next
// acquireStream may give the stream out again: what is still queued runs on, ahead of the new
// owner's work.
void releaseStream(StreamRef* stream);

// Its work still runs. `scratch`, which may be null, is memory that this work writes: it is freed
// once the work has ended, and its reference ends here.
void abandonStream(StreamRef* stream, BufferRef* scratch);

// "key=value" lines: owned, pooled, acquired, draining (streams), pinnedBytes.
std::string trackerState(BackendRef* backend, int device);

// How many abandoned streams may still run where GPU_MAX_HW_QUEUES has that value: the value - 2,
// at least 1. Unset (`set` is false, the value is not looked at), no whole number or not positive,
// it counts as HIP's default of 4.
int backlogCap(const std::string& gpuMaxHwQueues, bool set);

// ---- schedules ---------------------------------------------------------------------------------

// Forces an order on the threads of this process until endSchedule; one schedule at a time. text:
// one line each, in which a word that begins with "#" begins a comment,
//   order A:rocblas.rebind.done -> B:rocblas.enter   B passes its point after A has passed its own
//   order A:x arrived -> B:y#2                       B its y the second time after A has come to x
//   delay B:rocblas.leave 5ms                        B, or whoever without "B:", waits there
//   record                                           which thread passed which point, in order
//   bound 5s                                         how long an order is waited for (this long)
// A, B: names that threads gave themselves with nameThread; the second thread of one name is "A/2".
// x, y: points of the backend (docs/points.md lists them), or those of passPoint. A line that is
// not understood is an error that names it. A stepped line is one too: there is nobody here to run
// threads one at a time.
ScheduleRef* startSchedule(const std::string& text);

// Lets every thread go and tells what became of it; call it when the work has ended. "key=value"
// lines: order.<n> (its line), .status (held|not reached|excluded|in conflict with other orders),
// .detail (why), .locks (of an exclusion, those that excluded it, by name), .proved (excluded
// without a clock, 0|1), .waited (0|1); with record also recorded.<n> (THREAD:POINT) and replay.<n>
// (order lines that force the same).
std::string endSchedule(ScheduleRef* schedule);

// Names the calling thread for schedules, until it is named again; before that it is "thread-<n>".
// A thread that takes a name again during one schedule counts as the second of that name.
void nameThread(const std::string& name);

// A point of the caller's own: costs next to nothing without a schedule.
void passPoint(const std::string& name);

// ---- traces ------------------------------------------------------------------------------------

// Traces this process until endTrace, whatever backends it has; one trace at a time. Off, a driver
// call costs one relaxed load more and a point nothing; on, see sync/trace.h. A traced run is timed
// differently. events: find out what ran when by timing events on the software device, too, which
// notes its steps otherwise; on ROCm there is no other way.
TraceRef* startTrace(bool events);

// Ends the trace and tells it. First "key=value" lines:
//   runs=device steps   the software device noted what it ran; events: work was put between timing
//                       events, and what a graph runs is one run
//   dropped=<n>         entries that found no room (16384 a thread, 256 threads at a time), and
//                       events that were not done when the trace ended
//   stream=<number>\t<name>   a line for each stream that an entry speaks of
//   entries=<n>
// Then that many lines of fields with tabs between them, in the order of their begin:
//   kind thread threadName label begin end stream asked call
// kind is call, run or point; thread a small number for each thread; label the function's name, or
// the point's; begin and end nanoseconds since the trace began (of a point: when the thread came
// and when it was let go); stream and asked the number of the stream that it used or ran on and of
// the one that it was meant for, -2147483648 for none; call the number of a call, and in a run that
// of the call that enqueued it (0: before the trace). What is under way is not in it.
std::string endTrace(TraceRef* trace);

// ---- raw calls ---------------------------------------------------------------------------------

// What the raw calls of dev.hiplab.rocm (raw/*.h) go to: the options of openBackend, of which the
// driver's count (driver, profile, host_devices, host_arch, count_calls). Without effect once a raw
// call was made, as the first one chooses.
void setRawOptions(const std::string& options);

// One line: provider, device, and why this provider. Chooses, as a raw call does.
std::string describeRaw();

// A status by ROCm's name, "" when it has none here. library: "hip", "hiprtc", "rocblas" or
// "hipblaslt".
std::string statusName(const std::string& library, int status);

// ---- child processes ---------------------------------------------------------------------------

// Sets this process up as a child of a campaign, by its first thread, which it names "main": no
// core dumps; it ends with its parent (bindings/parent_guard.h); each thread's last points are
// recorded; and on standard error, in the lines that bindings/crash_lines.h describes, a crash
// tells where the thread was, and the signal pointsSignal() is answered with the points alone.
void prepareChild();
int pointsSignal();

// The name of a C++ function without its arguments: hiplab::backend::Device::gemm for
// _ZN6hiplab7backend6Device4gemmEv. Anything else comes back as it is.
std::string functionName(const std::string& symbol);

}  // namespace hiplab::bindings
