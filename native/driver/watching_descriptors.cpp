#include <array>

#include "driver/descriptor_watch.h"
#include "driver/watching_parts.h"

namespace hiplab::driver {
namespace {

constinit std::array<const Table*, kWatchedTables> inners{};

template <std::size_t S>
struct Watched {
  static const Table& inner() { return *inners[S]; }

  static hipblasStatus_t desc_create(hipblasLtMatmulDesc_t* desc, hipblasComputeType_t compute,
                                     hipDataType scale) {
    const hipblasStatus_t status = inner().hipblasLtMatmulDescCreate(desc, compute, scale);
    if (status == HIPBLAS_STATUS_SUCCESS) DescriptorWatch::get().made(*desc);
    return status;
  }
  static hipblasStatus_t layout_create(hipblasLtMatrixLayout_t* layout, hipDataType type,
                                       std::uint64_t rows, std::uint64_t cols, std::int64_t ld) {
    const hipblasStatus_t status =
        inner().hipblasLtMatrixLayoutCreate(layout, type, rows, cols, ld);
    if (status == HIPBLAS_STATUS_SUCCESS) DescriptorWatch::get().made(*layout);
    return status;
  }
  template <auto Destroy, typename Handle>
  static hipblasStatus_t destroy(Handle handle) {
    const bool lived = DescriptorWatch::get().destroyed(handle);
    const hipblasStatus_t status = (inner().*Destroy)(handle);
    if (status != HIPBLAS_STATUS_SUCCESS && lived) DescriptorWatch::get().not_destroyed(handle);
    return status;
  }

  static void wrap(const Table& inner, Table& t) {
    inners[S] = &inner;
    replace_if_there(t.hipblasLtMatmulDescCreate, &desc_create);
    replace_if_there(t.hipblasLtMatrixLayoutCreate, &layout_create);
    replace_if_there(t.hipblasLtMatmulDescDestroy,
                     &destroy<&Table::hipblasLtMatmulDescDestroy, hipblasLtMatmulDesc_t>);
    replace_if_there(t.hipblasLtMatrixLayoutDestroy,
                     &destroy<&Table::hipblasLtMatrixLayoutDestroy, hipblasLtMatrixLayout_t>);
  }
};

constexpr std::array<void (*)(const Table&, Table&), kWatchedTables> kWrap = {
    Watched<0>::wrap, Watched<1>::wrap, Watched<2>::wrap, Watched<3>::wrap};

}  // namespace

void watch_descriptors(std::size_t slot, const Table& inner, Table& wrapper) {
  kWrap[slot](inner, wrapper);
}

}  // namespace hiplab::driver
