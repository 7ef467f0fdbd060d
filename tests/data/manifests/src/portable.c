int demo_portable;
