// Access notes: where backend, forms and device read or write state that threads share.
//
// HIPLAB_READ(&handle_, "rocblas.handle") stands directly before the read that it notes, and
// HIPLAB_WRITE directly before the write. Idle, a note costs one relaxed load.
#pragma once

#include "sync/watched.h"

namespace hiplab::sync {

namespace detail {
void accessed(const void* address, const char* name, bool write);
}

inline void access(const void* address, const char* name, bool write) {
  if (detail::is_watched()) [[unlikely]] {
    detail::accessed(address, name, write);
  }
}

}  // namespace hiplab::sync

#define HIPLAB_READ(address, name) ::hiplab::sync::access((address), (name), false)
#define HIPLAB_WRITE(address, name) ::hiplab::sync::access((address), (name), true)
