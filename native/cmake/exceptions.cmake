# cmake -DFILE= -P exceptions.cmake: adds "throws dev.hiplab.HiplabException" to the native methods
# of the class that JavaCPP's parser wrote. Its generator throws what a method declares, else
# RuntimeException, and its parser cannot be told to declare anything.
file(READ ${FILE} text)
string(REGEX REPLACE "(native [^;{]*[)]);" "\\1 throws dev.hiplab.HiplabException;" text "${text}")
if(NOT text MATCHES "throws dev.hiplab.HiplabException")
  message(FATAL_ERROR "${FILE} holds no native method: JavaCPP parsed nothing")
endif()
file(WRITE ${FILE} "${text}")
