int demo_test;
