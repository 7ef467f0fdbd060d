/* SPDX-License-Identifier: MIT */
/* Bytes and texts. Compiled with -fno-builtin: else a compiler makes calls of these functions out of their own
 * loops. */
#include <string.h>

#pragma function(memcpy, memset, memcmp, strlen, strcmp, strcpy, strcat)

void *memcpy(void *to, const void *from, size_t length)
{
    unsigned char *write = to;
    const unsigned char *read = from;
    while (length-- != 0) {
        *write++ = *read++;
    }
    return to;
}

void *memmove(void *to, const void *from, size_t length)
{
    unsigned char *write = to;
    const unsigned char *read = from;
    if (write <= read) {
        return memcpy(to, from, length);
    }
    while (length-- != 0) {
        write[length] = read[length];
    }
    return to;
}

void *memset(void *to, int byte, size_t length)
{
    unsigned char *write = to;
    while (length-- != 0) {
        *write++ = (unsigned char)byte;
    }
    return to;
}

int memcmp(const void *a, const void *b, size_t length)
{
    const unsigned char *left = a, *right = b;
    for (; length != 0; length--, left++, right++) {
        if (*left != *right) {
            return *left < *right ? -1 : 1;
        }
    }
    return 0;
}

void *memchr(const void *in, int byte, size_t length)
{
    const unsigned char *read = in;
    for (; length != 0; length--, read++) {
        if (*read == (unsigned char)byte) {
            return (void *)read;
        }
    }
    return NULL;
}

size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length] != '\0') {
        length++;
    }
    return length;
}

int strncmp(const char *a, const char *b, size_t length)
{
    for (; length != 0; length--, a++, b++) {
        if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        }
        if (*a == '\0') {
            break;
        }
    }
    return 0;
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, (size_t)-1);
}

char *strcpy(char *to, const char *from)
{
    return memcpy(to, from, strlen(from) + 1);
}

char *strncpy(char *to, const char *from, size_t length)
{
    size_t there = strlen(from);
    memset(to, 0, length);
    return memcpy(to, from, there < length ? there : length);
}

char *strcat(char *to, const char *from)
{
    strcpy(to + strlen(to), from);
    return to;
}

char *strchr(const char *text, int letter)
{
    return memchr(text, letter, strlen(text) + 1);
}

char *strrchr(const char *text, int letter)
{
    size_t i = strlen(text) + 1;
    while (i-- != 0) {
        if (text[i] == (char)letter) {
            return (char *)text + i;
        }
    }
    return NULL;
}

char *strstr(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text != '\0' || length == 0; text++) {
        if (strncmp(text, part, length) == 0) {
            return (char *)text;
        }
    }
    return NULL;
}

/* How many letters at the start of `text` are in `letters`, or, where `wanted` is 0, are not. */
static size_t span(const char *text, const char *letters, int wanted)
{
    size_t count = 0;
    while (text[count] != '\0' && (strchr(letters, text[count]) != NULL) == wanted) {
        count++;
    }
    return count;
}

size_t strspn(const char *text, const char *letters)
{
    return span(text, letters, 1);
}

size_t strcspn(const char *text, const char *letters)
{
    return span(text, letters, 0);
}

char *strtok(char *text, const char *separators)
{
    static char *rest;
    char *token = text != NULL ? text : rest;
    if (token == NULL) {
        return NULL;
    }
    token += strspn(token, separators);
    if (*token == '\0') {
        rest = NULL;
        return NULL;
    }
    rest = token + strcspn(token, separators);
    if (*rest == '\0') {
        rest = NULL;
    } else {
        *rest++ = '\0';
    }
    return token;
}
