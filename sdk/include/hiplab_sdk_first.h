// Included first by the stubs: g++ wants this header before those of its types, JavaCPP's parser,
// which follows no include, wants it after them.
#pragma once

#include <hip/hip_runtime_api.h>
