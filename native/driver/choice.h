// Looking at providers without choosing one. choose() itself is declared in provider.h.
#pragma once

#include <vector>

#include "driver/provider.h"

namespace hiplab::driver {

// The request with empty fields filled from the environment, then from the defaults. Throws
// hiplab::Error on a value that is not allowed and says where it came from.
Request resolve(const Request& request);

// The providers that the request would have looked at, each with its verdict, in the order in which
// `auto` tries them. Leaves the software device closed, and one that is not usable is no error.
// Slower than choose(): it loads libraries even where no device can be.
std::vector<Candidate> probe(const Request& request);

}  // namespace hiplab::driver
