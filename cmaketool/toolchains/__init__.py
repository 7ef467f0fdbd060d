"""toolchains."""
