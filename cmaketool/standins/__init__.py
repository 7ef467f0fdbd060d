"""Stand-ins: what acts as a compiler or system that is not here.

msvc_model acts as Microsoft's cl for C, macos as Apple's compiler; windows_sdk is what real clang lacks for
Windows programs.
"""
