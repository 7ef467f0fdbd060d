/* SPDX-License-Identifier: MIT */
#ifndef MSVC_MODEL_STDLIB_H
#define MSVC_MODEL_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void free(void *memory);
__declspec(noreturn) void exit(int code);
__declspec(noreturn) void abort(void);
int atexit(void(__cdecl *function)(void));
char *getenv(const char *name);
int atoi(const char *text);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);

unsigned short _byteswap_ushort(unsigned short value);
unsigned long _byteswap_ulong(unsigned long value);
unsigned __int64 _byteswap_uint64(unsigned __int64 value);
unsigned int _rotl(unsigned int value, int count);
unsigned int _rotr(unsigned int value, int count);
unsigned __int64 _rotl64(unsigned __int64 value, int count);
unsigned __int64 _rotr64(unsigned __int64 value, int count);

#endif
