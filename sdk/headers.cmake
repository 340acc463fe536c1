# cmake -DINCLUDE= -P headers.cmake: whether the folder has the headers that the presets read.
foreach(header hip/hip_runtime_api.h hip/hiprtc.h hipblas-common/hipblas-common.h
               hipblaslt/hipblaslt.h)
  if(NOT EXISTS "${INCLUDE}/${header}")
    message(FATAL_ERROR "rocm.include is \"${INCLUDE}\", where there is no ${header}: name the "
                        "include folder of an installed ROCm SDK, as in "
                        "-Drocm.include=/opt/rocm/include (hipBLASLt's headers need those of "
                        "hipblas-common)")
  endif()
endforeach()
