/**
 * ROCm's C functions, raw, in ROCm's names: {@link dev.hiplab.rocm.Hip}, {@link
 * dev.hiplab.rocm.HipRtc}, {@link dev.hiplab.rocm.RocBlas} and {@link dev.hiplab.rocm.HipBlasLt}.
 * JavaCPP generates them from the declarations that the native backend is built with.
 *
 * <p><b>Where calls go.</b> To the driver table that this process's default options choose ({@code
 * -Dhiplab.driver} and its like, else HIPLAB_DRIVER and its like), as those of {@code
 * Backend.shared()} do: ROCm's libraries where there is a device, else the software device. {@link
 * dev.hiplab.rocm.RawCalls#describe} says which and why. The properties are read when the first
 * class of this package is used, and the first call chooses. Where driver {@code rocm} is asked for
 * and has no device, no backend opens, but raw calls reach ROCm's libraries: they answer 100, and
 * hiprtc compiles.
 *
 * <p><b>Errors.</b> A call returns its library's own status; {@link dev.hiplab.rocm.Check} makes an
 * exception of one. A function whose library is not there throws a {@link
 * dev.hiplab.HiplabException} that names both, and so does every call when no driver can be used.
 * What keeps the classes from loading (a wrong option of the process, no room to unpack) is the
 * cause of an {@code ExceptionInInitializerError}, or thrown by {@code RawCalls.describe()}. A call
 * that is known to end the process is not made and returns a status: hipblasLtCreate without a
 * device ({@code HIPBLAS_STATUS_NOT_INITIALIZED}) or while this process captures a stream ({@code
 * HIPBLAS_STATUS_INTERNAL_ERROR}), and hiprtcCompileProgram without an architecture that hiprtc
 * knows ({@code HIPRTC_ERROR_INVALID_OPTION}, ROCm's libraries only). All else is as C has it: a
 * null pointer, a destroyed handle or a wrong size is the caller's risk, and may end the process.
 * The software device returns a status for streams, events, modules, graphs, programs and memory
 * that it does not know, and takes handles and descriptors of rocBLAS and hipBLASLt on trust, as
 * the real libraries do.
 *
 * <p><b>Threads.</b> Any thread may call. (Only the first use of hiplab in a process should be one
 * thread's: while the libraries are loaded, a JavaCPP pointer that another thread makes throws.)
 * What may be used by several at once is what ROCm says: not a rocBLAS handle that one of them
 * binds to a stream, and not a hipBLASLt descriptor. The current device is a thread's own.
 *
 * <p><b>Pointers.</b> A JavaCPP {@code Pointer} that Java allocated ({@code new FloatPointer(4)}, a
 * struct) is freed when it becomes unreachable or is closed: keep it in a variable until the device
 * is done with it. What ROCm gave out (memory of hipMalloc, streams, handles) is freed by ROCm's
 * calls alone. A handle is an empty object that the creating call fills: {@code var s = new
 * hipStream_t(); hipStreamCreateWithFlags(s, 0)}. Memory of a device has an address and no contents
 * for Java: hipMemcpy moves them. What is null in C is {@code null}.
 */
package dev.hiplab.rocm;
