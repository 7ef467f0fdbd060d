"""Stand-ins: what acts as a compiler or system that is not here, shipped as data. There is none yet."""
