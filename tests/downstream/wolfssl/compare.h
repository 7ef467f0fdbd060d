/* The groups, by what they are about. */
#ifndef COMPARE_H
#define COMPARE_H

void compare_aes(void);
void compare_gcm(void);
void compare_hashes(void);
void compare_chacha(void);

#endif
