/* SPDX-License-Identifier: MIT */
/* printf and its like, without floating-point numbers: what is not known is printed as it stands in the format. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Where the letters go: to a file, or into a buffer as far as there is room. */
typedef struct sink {
    FILE *file;
    char *buffer;
    size_t size;
    size_t length; /* of the whole text */
} sink;

typedef struct conversion {
    int left, zeros, plus, blank, other; /* the flags - 0 + blank # */
    int width, precision;                /* precision: -1 for none */
    int bytes;                           /* of an integer */
} conversion;

static void put(sink *to, char letter)
{
    if (to->file != NULL) {
        (void)fputc(letter, to->file);
    } else if (to->length + 1 < to->size) {
        to->buffer[to->length] = letter;
    }
    to->length++;
}

static void put_many(sink *to, char letter, int count)
{
    while (count-- > 0) {
        put(to, letter);
    }
}

/* `sign`, zeros up to the precision and the text, in a field of the width. */
static void put_field(sink *to, const conversion *how, const char *sign, const char *text, int length, int zeros)
{
    int fill = how->width - (int)strlen(sign) - zeros - length;
    if (how->zeros && !how->left && how->precision < 0 && fill > 0) {
        zeros += fill;
        fill = 0;
    }
    put_many(to, ' ', how->left ? 0 : fill);
    while (*sign != '\0') {
        put(to, *sign++);
    }
    put_many(to, '0', zeros);
    for (int i = 0; i < length; i++) {
        put(to, text[i]);
    }
    put_many(to, ' ', how->left ? fill : 0);
}

static void put_text(sink *to, conversion *how, const char *text)
{
    int length = 0;
    text = text == NULL ? "(null)" : text;
    while (text[length] != '\0' && (how->precision < 0 || length < how->precision)) {
        length++;
    }
    how->zeros = 0;
    put_field(to, how, "", text, length, 0);
}

static void put_number(sink *to, const conversion *how, const char *sign, unsigned long long value, char kind)
{
    const char *letters = kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    unsigned base = kind == 'o' ? 8 : kind == 'x' || kind == 'X' || kind == 'p' ? 16 : 10;
    char digits[24];
    int first = sizeof digits;
    for (; value != 0; value /= base) {
        digits[--first] = letters[value % base];
    }
    int length = (int)sizeof digits - first;
    int least = how->precision < 0 ? 1 : how->precision;
    put_field(to, how, sign, digits + first, length, least > length ? least - length : 0);
}

static void put_signed(sink *to, const conversion *how, long long value)
{
    const char *sign = value < 0 ? "-" : how->plus ? "+" : how->blank ? " " : "";
    put_number(to, how, sign, value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value, 'u');
}

static void put_unsigned(sink *to, const conversion *how, unsigned long long value, char kind)
{
    const char *sign = "";
    if (how->other && value != 0) {
        sign = kind == 'x' ? "0x" : kind == 'X' ? "0X" : kind == 'o' ? "0" : "";
    }
    put_number(to, how, sign, value, kind);
}

static const char *read_flags(const char *at, conversion *how)
{
    for (;; at++) {
        if (*at == '-') {
            how->left = 1;
        } else if (*at == '0') {
            how->zeros = 1;
        } else if (*at == '+') {
            how->plus = 1;
        } else if (*at == ' ') {
            how->blank = 1;
        } else if (*at == '#') {
            how->other = 1;
        } else {
            return at;
        }
    }
}

static const char *read_size(const char *at, int *bytes)
{
    *bytes = 4;
    if (strncmp(at, "I64", 3) == 0 || strncmp(at, "hh", 2) == 0 || strncmp(at, "ll", 2) == 0) {
        *bytes = *at == 'h' ? 1 : 8;
        return at + (*at == 'I' ? 3 : 2);
    }
    if (*at == 'h') {
        *bytes = 2;
        return at + 1;
    }
    if (*at == 'z' || *at == 'j' || *at == 't') {
        *bytes = 8;
        return at + 1;
    }
    return at + (*at == 'l'); /* long has 32 bits */
}

static int read_count(const char **at)
{
    int count = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        count = 10 * count + **at - '0';
    }
    return count;
}

/* The lowest `bytes` of `value`, with the sign of an integer of that size if `is_signed`. */
static unsigned long long cut(unsigned long long value, int bytes, int is_signed)
{
    int rest = 64 - 8 * bytes;
    value <<= rest;
    return is_signed ? (unsigned long long)((long long)value >> rest) : value >> rest;
}

/* What stands between the percent sign before `at` and the letter of the conversion, where it returns. */
static const char *read_conversion(const char *at, conversion *how, va_list *arguments)
{
    memset(how, 0, sizeof *how);
    at = read_flags(at, how);
    if (*at == '*') {
        how->width = va_arg(*arguments, int);
        how->left |= how->width < 0;
        how->width = how->width < 0 ? -how->width : how->width;
        at++;
    } else {
        how->width = read_count(&at);
    }
    how->precision = -1;
    if (*at == '.') {
        at++;
        how->precision = *at == '*' ? va_arg(*arguments, int) : read_count(&at);
        at += *at == '*';
    }
    return read_size(at, &how->bytes);
}

/* Whether `letter` is a conversion; if so, it is done. */
static int convert(sink *to, conversion *how, char letter, va_list *arguments)
{
    char one;
    unsigned long long value;
    switch (letter) {
    case 'd':
    case 'i':
        value = (unsigned long long)(how->bytes == 8 ? va_arg(*arguments, long long) : va_arg(*arguments, int));
        put_signed(to, how, (long long)cut(value, how->bytes, 1));
        return 1;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        value = how->bytes == 8 ? va_arg(*arguments, unsigned long long) : va_arg(*arguments, unsigned);
        put_unsigned(to, how, cut(value, how->bytes, 0), letter);
        return 1;
    case 'p':
        how->precision = 16;
        put_number(to, how, "", (uintptr_t)va_arg(*arguments, void *), 'X');
        return 1;
    case 's':
        put_text(to, how, va_arg(*arguments, const char *));
        return 1;
    case 'c':
        one = (char)va_arg(*arguments, int);
        how->zeros = 0;
        put_field(to, how, "", &one, 1, 0);
        return 1;
    case '%':
        put(to, '%');
        return 1;
    default:
        return 0;
    }
}

static int print(sink *to, const char *format, va_list arguments)
{
    while (*format != '\0') {
        if (*format == '%') {
            conversion how;
            const char *at = read_conversion(format + 1, &how, &arguments);
            if (convert(to, &how, *at, &arguments)) {
                format = at + 1;
                continue;
            }
        }
        put(to, *format++);
    }
    return (int)to->length;
}

int vfprintf(FILE *file, const char *format, va_list arguments)
{
    sink to = {file, NULL, 0, 0};
    return print(&to, format, arguments);
}

int vprintf(const char *format, va_list arguments)
{
    return vfprintf(stdout, format, arguments);
}

int vsnprintf(char *buffer, size_t size, const char *format, va_list arguments)
{
    sink to = {NULL, buffer, size, 0};
    int length = print(&to, format, arguments);
    if (size != 0) {
        buffer[to.length < size ? to.length : size - 1] = '\0';
    }
    return length;
}

int fprintf(FILE *file, const char *format, ...)
{
    int length;
    va_list arguments;
    va_start(arguments, format);
    length = vfprintf(file, format, arguments);
    va_end(arguments);
    return length;
}

int printf(const char *format, ...)
{
    int length;
    va_list arguments;
    va_start(arguments, format);
    length = vfprintf(stdout, format, arguments);
    va_end(arguments);
    return length;
}

int snprintf(char *buffer, size_t size, const char *format, ...)
{
    int length;
    va_list arguments;
    va_start(arguments, format);
    length = vsnprintf(buffer, size, format, arguments);
    va_end(arguments);
    return length;
}
