// How the headers of the raw calls are made of the lists in driver/function_lists.h.
//
// A raw call has ROCm's name and types, in the namespace of those, and is answered by the driver
// table (raw/entry.h). JavaCPP's parser reads these headers after cmake/raw_headers.cmake has
// preprocessed them, as it does not expand such lists itself; HIPLAB_PARSER is defined then, and
// each header gives its own library alone.
#pragma once

#ifndef HIPLAB_PARSER
#include "bindings/java_exception.h"  // for the stubs
#endif

#define HIPLAB_RAW_DECLARE(ret, name, params, args) ret name params;
