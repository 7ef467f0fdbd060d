int demo_keep;
