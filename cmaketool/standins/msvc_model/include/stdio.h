/* SPDX-License-Identifier: MIT */
#ifndef MSVC_MODEL_STDIO_H
#define MSVC_MODEL_STDIO_H

#include <stdarg.h>
#include <stddef.h>

#define EOF (-1)
#define BUFSIZ 4096

typedef struct mm_file FILE;
FILE *mm_standard_file(int number);
#define stdin mm_standard_file(0)
#define stdout mm_standard_file(1)
#define stderr mm_standard_file(2)

int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int vprintf(const char *format, va_list arguments);
int vfprintf(FILE *file, const char *format, va_list arguments);
int snprintf(char *buffer, size_t size, const char *format, ...);
int vsnprintf(char *buffer, size_t size, const char *format, va_list arguments);
int puts(const char *text);
int putchar(int letter);
int fputc(int letter, FILE *file);
int fputs(const char *text, FILE *file);
size_t fwrite(const void *from, size_t size, size_t count, FILE *file);
int fflush(FILE *file);

size_t fread(void *to, size_t size, size_t count, FILE *file);
int fgetc(FILE *file);
int getchar(void);
char *fgets(char *line, int size, FILE *file);
int feof(FILE *file);
int ferror(FILE *file);

#endif
