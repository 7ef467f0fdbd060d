int demo_tooth = 1 + 1;
int demo_twice = 1 + 1;
int demo_once = 3;
