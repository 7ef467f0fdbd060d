int demo_sha;
