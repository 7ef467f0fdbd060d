int masks_base(int value);
int masks_base(int value) { return value * 3; }
