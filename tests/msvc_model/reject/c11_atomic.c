/* refused: '_Atomic' is not known to MSVC without /experimental:c11atomics */
_Atomic int f;
