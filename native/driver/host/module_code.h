// The "code" that hiprtc gives out on the software device and that modules are loaded from.
#pragma once

#include <string>

namespace hiplab::driver::host {

struct ModuleCode {
  std::string arch;    // it was compiled for
  std::string object;  // an ELF shared object
};

// With a header that says how long it is: hipModuleLoadData is told no length.
std::string pack_code(const ModuleCode& code);

// False when `image` is nothing that pack_code() made, or damaged. Reads the header first, and
// behind it only as much as that says.
bool unpack_code(const void* image, ModuleCode& code);

}  // namespace hiplab::driver::host
