/* SPDX-License-Identifier: MIT */
#ifndef LOADS_H
#define LOADS_H

/* The sums of every sixteenth byte of `from`, modulo 256. */
void loads_sum(unsigned char to[16], const unsigned char from[64]);

void loads_sum_four(unsigned char to[16], const unsigned char from[64]);
void loads_sum_one(unsigned char to[16], const unsigned char from[64]);
void loads_sum_portable(unsigned char to[16], const unsigned char from[64]);

#endif
