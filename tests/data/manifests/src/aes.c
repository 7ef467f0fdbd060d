int demo_aes;
