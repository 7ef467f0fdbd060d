#if defined(__clang__) || defined(__GNUC__) || defined(__llvm__) || defined(__aarch64__) || defined(__arm64ec__) || \
    defined(__ARM_NEON) || defined(__ARM_FEATURE_AES) || defined(__BYTE_ORDER__) || defined(__SIZEOF_INT128__) ||      \
    defined(__SIZE_TYPE__) || defined(__has_builtin) || defined(__has_attribute) || defined(__LITTLE_ENDIAN__)
#error cl has none of these
#endif
#if !defined(_MSC_VER) || _MSC_VER != 1944 || _MSC_FULL_VER != 194435207 || !defined(_WIN32) || !defined(_WIN64)
#error cl has these
#endif
#if __STDC_VERSION__ != 201112L || !__STDC_NO_VLA__
#error /std:c11
#endif
#if defined(_M_ARM64) == defined(_M_ARM64EC) || defined(_M_ARM64EC) != defined(_M_X64)
#error which is it
#endif
typedef int nothing;
