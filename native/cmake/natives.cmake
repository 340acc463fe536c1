# cmake -DNATIVES= -DPLATFORM= -P natives.cmake: writes NATIVES/native.properties, the list of the
# libraries in NATIVES/PLATFORM in load order and one SHA-256 over their contents. The loader unpacks
# them into a folder named by that hash, so that a rebuilt library never meets an old copy of itself.
# `raw` is loaded by the first raw call alone: a child that makes none starts without it.
set(raw libjniRocm.so)
set(files libquadmath.so.0 libgfortran.so.5 libopenblas.so.0 libhiplab.so libjniNative.so)
set(hashes)
foreach(file IN LISTS files raw)
  set(path ${NATIVES}/${PLATFORM}/${file})
  if(NOT EXISTS ${path})
    message(FATAL_ERROR "${file} is missing in ${NATIVES}/${PLATFORM}: the build made no such library")
  endif()
  file(SHA256 ${path} hash)
  string(APPEND hashes "${file}=${hash}\n")
endforeach()
string(SHA256 hash "${hashes}")
list(JOIN files "," list)
file(WRITE ${NATIVES}/native.properties "hash=${hash}\nplatform=${PLATFORM}\nfiles=${list}\nraw=${raw}\n")
