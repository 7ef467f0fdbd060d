# Gives wolfSSL's own build, unedited, the kernels of this folder:
#
#   cmake -S wolfssl -B build -DCMAKE_PROJECT_wolfssl_INCLUDE=<this file> -DWOLFSSL_ARMASM_INTRINSICS=ON
#
# CMake 3.19 or newer. It is read right after wolfSSL's project(), when there is no target yet, so the kernels come at
# the end of that directory. Projects that fetch wolfSSL or list its sources do the same by hand: fetch/, bundled/.

set(WOLFSSL_KERNELS_POLICY any CACHE STRING
  "Compilers that ON accepts: any, or strict, which is Microsoft's alone")
set_property(CACHE WOLFSSL_KERNELS_POLICY PROPERTY STRINGS any strict)

if(WOLFSSL_KERNELS_POLICY STREQUAL "any")
  include("${CMAKE_CURRENT_LIST_DIR}/wolfssl_kernels.cmake")
elseif(WOLFSSL_KERNELS_POLICY STREQUAL "strict")
  include("${CMAKE_CURRENT_LIST_DIR}/strict/wolfssl_kernels.cmake")
else()
  message(FATAL_ERROR "WOLFSSL_KERNELS_POLICY is '${WOLFSSL_KERNELS_POLICY}', it must be any or strict")
endif()

cmake_language(DEFER DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" CALL wolfssl_target_kernels wolfssl)
