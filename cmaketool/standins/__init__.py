"""Stand-ins: what acts as a compiler or system that is not here. msvc_model acts as Microsoft's cl for C."""
