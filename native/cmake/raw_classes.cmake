# cmake -DFOLDER= -P raw_classes.cmake: finishes the classes of the raw calls in FOLDER as JavaCPP's
# parser left them.
file(GLOB files ${FOLDER}/*.java)
list(LENGTH files count)
if(count LESS 20)
  message(FATAL_ERROR "${FOLDER} holds ${count} classes: JavaCPP did not read all of raw/*.h")
endif()
foreach(file IN LISTS files)
  file(READ ${file} text)
  # One declaration a line.
  string(REGEX REPLACE "; +@Namespace" ";\n@Namespace" text "${text}")
  # Where a null would fit two overloads, the one whose argument is an array of pointers stays.
  string(REGEX REPLACE "\n[^\n]*@ByPtrPtr @Cast[(]\"char[*]\"[)] BytePointer[^\n]*" "" text "${text}")
  string(REGEX REPLACE "\n[^\n]*@ByPtrPtr Pointer params[^\n]*" "" text "${text}")
  # The toolkit's loader: JavaCPP's own is switched off (dev.hiplab.NativeLibrary says why).
  string(REPLACE "static { Loader.load(); }" "static { RawLibrary.load(); }" text "${text}")
  # Not for others to extend: HostFunctions says why.
  string(REPLACE "protected hipHostFn_t()" "hipHostFn_t()" text "${text}")
  file(WRITE ${file} "${text}")
  if(text MATCHES " native ")
    set(FILE ${file})
    include(${CMAKE_CURRENT_LIST_DIR}/exceptions.cmake)
  endif()
endforeach()
