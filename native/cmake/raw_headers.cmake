# cmake -DSOURCE= -DOUTPUT= -P raw_headers.cmake: writes OUTPUT/raw/<library>.h, the headers of the
# raw calls as plain declarations for JavaCPP's parser: preprocessed, so that what Java calls is
# derived from the lists and types of driver/, without the system's headers and the compiler's
# checks, which the stubs compile with again.
if(DEFINED ENV{CXX})
  set(compiler $ENV{CXX})
else()
  find_program(compiler NAMES c++ g++ clang++ REQUIRED)
endif()
file(MAKE_DIRECTORY ${OUTPUT}/raw)
foreach(library hip hiprtc rocblas hipblaslt)
  execute_process(
    COMMAND ${compiler} -std=c++20 -E -P -x c++ -nostdinc -nostdinc++ -DHIPLAB_PARSER
            "-Dstatic_assert(...)=" "-Dalignas(n)=" -I${SOURCE}/cmake/empty -I${SOURCE}
            ${SOURCE}/raw/${library}.h
    OUTPUT_FILE ${OUTPUT}/raw/${library}.h ERROR_VARIABLE errors RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "raw/${library}.h cannot be preprocessed with ${compiler}:\n${errors}")
  endif()
endforeach()
