int mini_base(int value);
int mini_base(int value) { return value * 3; }
