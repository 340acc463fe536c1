# cmake -DSOURCE= -DBUILD= -DOUTPUT= -P library.cmake: configures and builds libhiplab.so and puts
# it, without debug information but with its symbols (crash frames need them), into OUTPUT.
# A script, so that Ninja is used where it is and the default generator where it is not.
find_program(NINJA NAMES ninja ninja-build)
set(generator)
if(NINJA AND NOT EXISTS "${BUILD}/CMakeCache.txt")
  set(generator -G Ninja)
endif()
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message("${output}")
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "This step of the native build failed (its output is above): ${command}")
  endif()
endfunction()

run(${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD} ${generator} -DCMAKE_BUILD_TYPE=RelWithDebInfo
    -DHIPLAB_TESTS=OFF)
run(${CMAKE_COMMAND} --build ${BUILD} --target hiplab --parallel ${cores})
file(MAKE_DIRECTORY ${OUTPUT})
file(COPY ${BUILD}/libhiplab.so DESTINATION ${OUTPUT})
find_program(STRIP strip REQUIRED)
run(${STRIP} --strip-debug ${OUTPUT}/libhiplab.so)
