// Checks on what the caller of hiplab.h passes; each throws hiplab::Error with a sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "bindings/refs.h"

namespace hiplab::bindings {

using backend::ElementType;

inline ElementType element_type(int type) {
  if (type < 0 || type > 3) {
    throw Error("element type is " + std::to_string(type) +
                ", allowed are 0 (f32), 1 (f16), 2 (bf16) and 3 (f8)");
  }
  return static_cast<ElementType>(type);
}

inline void require_same_backend(const BackendRef* a, const BackendRef* b, const char* what) {
  if (a != b) throw Error(std::string(what) + " belongs to another backend than the stream");
}

inline void require_same_device(const StreamRef& stream, const backend::DeviceMemory& memory,
                                const char* what) {
  if (stream.stream->device() != memory.device()) {
    throw Error(std::string(what) + " is on device " + std::to_string(memory.device()) +
                ", the stream on device " + std::to_string(stream.stream->device()) +
                ": both must be on one device");
  }
}

inline void require_same_device(const StreamRef& stream, const BufferRef& buffer,
                                const char* what) {
  require_same_backend(stream.owner, buffer.owner, what);
  require_same_device(stream, *buffer.memory, what);
}

// Bytes of `count` elements, which must fit in the buffer.
inline std::size_t bytes_within(const BufferRef& buffer, std::int64_t count, ElementType type,
                                const char* what) {
  const auto held = static_cast<std::int64_t>(buffer.memory->bytes() / element_bytes(type));
  if (count < 0 || count > held) {
    throw Error(std::string(what) + " of " + std::to_string(count) + " " +
                backend::element_name(type) + " elements does not fit: the buffer holds " +
                std::to_string(held));
  }
  return static_cast<std::size_t>(count) * element_bytes(type);
}

inline void require_host(const void* pointer, std::int64_t count, const char* what) {
  if (pointer == nullptr && count != 0) throw Error(std::string(what) + " is null");
}

inline backend::GemmShape shape_of(int type, bool trans_a, bool trans_b, std::int64_t m,
                                   std::int64_t n, std::int64_t k, std::int64_t batch) {
  backend::GemmShape shape{element_type(type), trans_a, trans_b, m, n, k, batch};
  backend::check_shape(shape);
  return shape;
}

// The GEMM of that shape, after every check on its stream and its buffers.
inline backend::GemmCall gemm_call(const StreamRef& s, const backend::GemmShape& shape, float alpha,
                                   BufferRef* a, BufferRef* b, float beta, BufferRef* c) {
  const BufferRef& first = required(a, "A");
  const BufferRef& second = required(b, "B");
  const BufferRef& result = required(c, "C");
  require_same_device(s, first, "A");
  require_same_device(s, second, "B");
  require_same_device(s, result, "C");
  bytes_within(first, shape.m * shape.k * shape.batch, shape.type, "A");
  bytes_within(second, shape.k * shape.n * shape.batch, shape.type, "B");
  bytes_within(result, shape.m * shape.n * shape.batch, backend::result_type(shape.type), "C");
  if (c == a || c == b) {
    throw Error("C is the same buffer as " + std::string(c == a ? "A" : "B") +
                ": a GEMM cannot write over its inputs, pass another buffer");
  }
  return {shape, alpha, first.memory->get(), second.memory->get(), beta, result.memory->get()};
}

}  // namespace hiplab::bindings
