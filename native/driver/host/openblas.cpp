#include "driver/host/openblas.h"

#include <dlfcn.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <sstream>

#include "driver/error.h"

namespace hiplab::driver::host {
namespace {

constexpr const char* kSoname = "libopenblas.so.0";
constexpr int kRowMajor = 101;
constexpr int kColumnMajor = 102;
constexpr int kNoTrans = 111;
constexpr int kTrans = 112;

// OpenBLAS frees its buffers in a library destructor. A process may exit while queue threads are in
// a GEMM, so exit waits for the calls that are inside and lets no other in.
std::atomic<int> calls_inside{0};
std::atomic<bool> exiting{false};

void close_gate() {
  exiting.store(true);
  while (calls_inside.load() != 0) usleep(100);
}

// Every thread inside holds one of OpenBLAS's work buffers. Their number is fixed when OpenBLAS is
// built (twice the threads it was built for, 128 in common builds); past it OpenBLAS warns, and
// past some hundreds it crashes ("too many memory regions"). Half of them are for callers, the rest
// for its own threads. More callers than cores gain nothing, so those who wait lose nothing.
constexpr unsigned kSlots = 64;

class Slots {
 public:
  Slots() { sem_init(&free_, 0, kSlots); }
  void take() {
    while (sem_wait(&free_) != 0 && errno == EINTR) {
    }
  }
  void give() { sem_post(&free_); }

 private:
  // Not std::counting_semaphore: libstdc++ 12 wakes every waiter at each release.
  sem_t free_;
};

Slots& slots() {
  static auto* leaked = new Slots;  // threads may wait for a slot while the process exits
  return *leaked;
}

// A slot first, then the gate: who waits for a slot is not inside, so exit does not wait for it.
class Inside {
 public:
  Inside() {
    slots().take();
    calls_inside.fetch_add(1);
    if (exiting.load()) {
      calls_inside.fetch_sub(1);
      for (;;) pause();  // the process is about to end; this thread ends with it
    }
  }
  ~Inside() {
    calls_inside.fetch_sub(1);
    slots().give();
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

void* open_library(const std::string& file, std::string& tried) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) tried += (tried.empty() ? "" : "; ") + std::string(dlerror());
  return library;
}

void* open_at(const std::filesystem::path& where, std::string& tried) {
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(where, ignored);
  const auto parent = folder ? where : where.parent_path();
  // Absent, the system's own serve.
  for (const char* needed : {"libquadmath.so.0", "libgfortran.so.5"}) {
    dlopen((parent / needed).c_str(), RTLD_LAZY | RTLD_GLOBAL);
  }
  return open_library(folder ? parent / kSoname : where, tried);
}

std::mutex load_mutex;
std::atomic<const OpenBlas*> loaded{nullptr};

}  // namespace

const OpenBlas* OpenBlas::load(std::string* why) {
  std::string tried;
  void* library = nullptr;
  const char* place = std::getenv("HIPLAB_OPENBLAS");
  if (place != nullptr && *place != '\0') {
    library = open_at(place, tried);
  } else {
    library = open_library(kSoname, tried);
  }
  if (library == nullptr) {
    *why = "OpenBLAS, which computes the software device's GEMMs, was not found (tried " + tried +
           "): set HIPLAB_OPENBLAS to " + kSoname + " or to its folder, or install OpenBLAS";
    return nullptr;
  }
  auto* blas = new OpenBlas;  // leaked: never unloaded, queue threads may outlive main
  blas->sgemm_ = reinterpret_cast<SgemmFunction>(dlsym(library, "cblas_sgemm"));
  blas->threads_ = reinterpret_cast<int (*)()>(dlsym(library, "openblas_get_num_threads"));
  const auto config = reinterpret_cast<char* (*)()>(dlsym(library, "openblas_get_config"));
  if (blas->sgemm_ == nullptr || blas->threads_ == nullptr || config == nullptr) {
    delete blas;
    *why = std::string("the library found as ") + (place != nullptr ? place : kSoname) +
           " is not OpenBLAS (it lacks cblas_sgemm, openblas_get_num_threads or "
           "openblas_get_config): set HIPLAB_OPENBLAS to OpenBLAS's own " +
           kSoname;
    return nullptr;
  }
  blas->config_ = config();
  if (blas->config_.find("USE64BITINT") != std::string::npos) {
    delete blas;
    *why =
        "the OpenBLAS that was found has 64-bit integers: set HIPLAB_OPENBLAS to a build with "
        "32-bit integers (without USE64BITINT)";
    return nullptr;
  }
  Dl_info info{};
  const bool known = dladdr(reinterpret_cast<void*>(blas->sgemm_), &info) != 0;
  blas->path_ = known && info.dli_fname != nullptr ? info.dli_fname : kSoname;
  std::atexit(close_gate);  // runs before library destructors
  return blas;
}

const OpenBlas* OpenBlas::find(std::string* why) {
  if (const OpenBlas* ready = loaded.load(std::memory_order_acquire)) return ready;
  std::lock_guard lock(load_mutex);
  if (const OpenBlas* ready = loaded.load(std::memory_order_acquire)) return ready;
  const OpenBlas* fresh = load(why);
  loaded.store(fresh, std::memory_order_release);
  return fresh;
}

const OpenBlas& OpenBlas::get() {
  std::string why;
  const OpenBlas* blas = find(&why);
  if (blas == nullptr) throw Error(why);
  return *blas;
}

bool OpenBlas::ready() {
  std::string why;
  if (find(&why) != nullptr) return true;
  static std::once_flag told;
  std::call_once(told, [&] { std::fprintf(stderr, "hiplab: %s\n", why.c_str()); });
  return false;
}

void OpenBlas::sgemm(bool row_major, bool trans_a, bool trans_b, int m, int n, int k, float alpha,
                     const float* a, int lda, const float* b, int ldb, float beta, float* c,
                     int ldc) const {
  const Inside inside;
  sgemm_(row_major ? kRowMajor : kColumnMajor, trans_a ? kTrans : kNoTrans,
         trans_b ? kTrans : kNoTrans, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

std::string OpenBlas::version() const {
  // "OpenBLAS 0.3.31 NO_AFFINITY ..."
  std::istringstream words(config_);
  std::string library;
  std::string version;
  words >> library >> version;
  return version;
}

int OpenBlas::threads() const { return threads_(); }

}  // namespace hiplab::driver::host
