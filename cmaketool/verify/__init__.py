"""The proof: legs are configured, built and run, and every kernel is judged rung by rung (docs/verify.md)."""
