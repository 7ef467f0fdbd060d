#ifndef PAIR_H
#define PAIR_H

void pair_aes_x86(unsigned char *block, const unsigned char *key);
void pair_aes_arm64(unsigned char *block, const unsigned char *key);
void pair_aes_portable(unsigned char *block, const unsigned char *key);
void pair_clmul_x86(unsigned char *block);

#endif
