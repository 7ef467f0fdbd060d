/* As much of the C library's as wolfSSL's headers use. */
#ifndef TIME_H
#define TIME_H

typedef long long time_t;
struct tm;

time_t time(time_t *now);

#endif
