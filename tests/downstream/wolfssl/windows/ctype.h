/* As much of the C library's as wolfSSL's headers use. */
#ifndef CTYPE_H
#define CTYPE_H

int isalpha(int character);
int tolower(int character);
int toupper(int character);

#endif
