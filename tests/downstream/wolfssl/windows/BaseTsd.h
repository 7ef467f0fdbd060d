/* As much of the Windows SDK's as wolfSSL's headers use. */
#ifndef BASETSD_H
#define BASETSD_H

typedef long long SSIZE_T;

#endif
