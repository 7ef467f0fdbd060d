/* SPDX-License-Identifier: MIT */
#ifndef MSVC_MODEL_STRING_H
#define MSVC_MODEL_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t length);
void *memmove(void *to, const void *from, size_t length);
void *memset(void *to, int byte, size_t length);
int memcmp(const void *a, const void *b, size_t length);
void *memchr(const void *in, int byte, size_t length);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t length);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t length);
char *strcat(char *to, const char *from);
char *strchr(const char *text, int letter);
char *strrchr(const char *text, int letter);
char *strstr(const char *text, const char *part);
size_t strspn(const char *text, const char *letters);
size_t strcspn(const char *text, const char *letters);
char *strtok(char *text, const char *separators);

#endif
