unsigned core(unsigned char *bytes);
