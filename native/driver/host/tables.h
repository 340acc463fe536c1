// The software device's functions, family by family, as entries of the driver table.
#pragma once

#include "driver/table.h"

namespace hiplab::driver::host {

// Each assigns the members of its family. The functions need open_machine() to have been called.
void fill_devices(Table& table);         // devices.cpp
void fill_memory(Table& table);          // memory_calls.cpp
void fill_host_memory(Table& table);     // host_memory_calls.cpp
void fill_memory_pool(Table& table);     // memory_pool_calls.cpp
void fill_streams(Table& table);         // streams.cpp
void fill_events(Table& table);          // events.cpp
void fill_callbacks(Table& table);       // callbacks.cpp
void fill_captures(Table& table);        // capture_calls.cpp
void fill_graphs(Table& table);          // graph_calls.cpp
void fill_rocblas(Table& table);         // rocblas.cpp
void fill_blaslt_objects(Table& table);  // blaslt_objects.cpp: handle, descriptors, layouts
void fill_blaslt_gemm(Table& table);     // blaslt_matmul.cpp: heuristic and matmul
void fill_hiprtc(Table& table);          // hiprtc.cpp
void fill_modules(Table& table);         // module_calls.cpp

// Last: wraps what the HIP families have filled in, and adds hipGetLastError.
void fill_doors(Table& table);  // last_error.cpp

}  // namespace hiplab::driver::host
