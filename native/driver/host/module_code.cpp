#include "driver/host/module_code.h"

#include <cstdint>
#include <cstring>

#include "driver/host/code_cache.h"

namespace hiplab::driver::host {
namespace {

constexpr char kMagic[8] = {'h', 'i', 'p', 'l', 'a', 'b', 'K', '1'};

struct Head {
  char magic[8];
  std::uint64_t bytes;     // of the object
  std::uint64_t checksum;  // of the object
  char arch[64];           // ends with 0
};

}  // namespace

std::string pack_code(const ModuleCode& code) {
  Head head{};
  std::memcpy(head.magic, kMagic, sizeof kMagic);
  head.bytes = code.object.size();
  head.checksum = fnv1a(code.object);
  code.arch.copy(head.arch, sizeof head.arch - 1);
  std::string packed(sizeof head, '\0');
  std::memcpy(packed.data(), &head, sizeof head);
  return packed + code.object;
}

bool unpack_code(const void* image, ModuleCode& code) {
  // The magic alone first: what is no code may be shorter than the header.
  if (std::memcmp(image, kMagic, sizeof kMagic) != 0) return false;
  Head head{};
  std::memcpy(&head, image, sizeof head);
  head.arch[sizeof head.arch - 1] = 0;
  code.arch = head.arch;
  code.object.assign(static_cast<const char*>(image) + sizeof head, head.bytes);
  return fnv1a(code.object) == head.checksum;
}

}  // namespace hiplab::driver::host
