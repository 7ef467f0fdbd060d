"""What each variant of a family costs: instructions per byte in an emulator, or time on this machine."""
