// Texts that live as long as the process, for names that are not literals.
#pragma once

#include <string_view>

namespace hiplab::sync {

// The one copy of `text`; made by the first call with it, and never freed. Takes no lock, so that
// it orders no threads; allocates only for a text it does not know.
const char* lasting(std::string_view text);

}  // namespace hiplab::sync
