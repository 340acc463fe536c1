#include "sync/lock.h"

#include "sync/director.h"

namespace hiplab::sync {

void Lock::watched_lock(bool shared) {
  {
    const detail::Use director;
    if (director) director->lock_wanted(*this, shared);
    if (native_try_lock(shared)) {
      if (director) director->lock_taken(*this, shared);
      return;
    }
    if (director) director->lock_blocked(*this, shared);
  }
  native_lock(shared);  // outside the director, which may be removed meanwhile
  const detail::Use director;
  if (director) director->lock_taken(*this, shared);
}

bool Lock::watched_try_lock(bool shared) {
  const detail::Use director;
  const bool taken = native_try_lock(shared);
  if (taken && director) director->lock_taken(*this, shared);
  return taken;
}

void Lock::watched_unlock(bool shared) {
  {
    const detail::Use director;
    if (director) director->lock_released(*this, shared);
  }
  native_unlock(shared);
}

}  // namespace hiplab::sync
