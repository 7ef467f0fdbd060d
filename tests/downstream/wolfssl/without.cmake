# For CMAKE_PROJECT_wolfssl_INCLUDE: the kernels, and wolfSSL's own test without the CPU's instructions.
include("${CMAKE_CURRENT_LIST_DIR}/../../../examples/wolfssl/attach.cmake")
set(WITHOUT_INSTRUCTIONS "${CMAKE_CURRENT_LIST_DIR}/without.c") # the call sees what variables are then
cmake_language(DEFER DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" CALL
  target_sources wolfcrypttest PRIVATE "${WITHOUT_INSTRUCTIONS}")
