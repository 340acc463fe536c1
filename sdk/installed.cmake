# cmake -DINCLUDE= -DLIB= -DLINK= -DSCRATCH= -P installed.cmake: whether the folder has the headers
# that the presets read, and the linker finds the libraries, which are named with a colon between.
foreach(header hip/hip_runtime_api.h hip/hiprtc.h hipblas-common/hipblas-common.h
               hipblaslt/hipblaslt.h)
  if(NOT EXISTS "${INCLUDE}/${header}")
    message(FATAL_ERROR "rocm.include is \"${INCLUDE}\", where there is no ${header}: name the "
                        "include folder of an installed ROCm SDK, as in "
                        "-Drocm.include=/opt/rocm/include (hipBLASLt's headers need those of "
                        "hipblas-common)")
  endif()
endforeach()

# By JavaCPP's compiler, which also looks where the system has its libraries.
file(MAKE_DIRECTORY "${SCRATCH}")
set(linked "${SCRATCH}/installed.so")
string(REPLACE ":" ";" libraries "${LINK}")
foreach(library IN LISTS libraries)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C g++ -shared -x c++ /dev/null -x none
                          "-L${LIB}" -Wl,--no-as-needed "-l${library}" -o "${linked}"
                  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  file(REMOVE "${linked}")
  if(status EQUAL 0)
    continue()
  endif()
  if(NOT said MATCHES "cannot find -l")
    message(FATAL_ERROR "lib${library} cannot be linked by g++ (${status}): ${said}")
  endif()
  message(FATAL_ERROR "rocm.lib is \"${LIB}\", where the linker finds no lib${library}.so, nor does "
                      "the system have one: name the folder of the SDK's libraries, as in "
                      "-Drocm.lib=/opt/rocm/lib, or link none with -Drocm.link= to look at the "
                      "classes alone")
endforeach()
