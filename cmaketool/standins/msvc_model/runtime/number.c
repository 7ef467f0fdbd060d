/* SPDX-License-Identifier: MIT */
/* Numbers from texts, and the environment. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static int digit_value(char letter)
{
    if (letter >= '0' && letter <= '9') {
        return letter - '0';
    }
    letter = (char)(letter | 0x20);
    return letter >= 'a' && letter <= 'z' ? letter - 'a' + 10 : 99;
}

/* The number at `text`, with its sign apart; ULLONG_MAX if it is greater. */
static unsigned long long read_number(const char *text, char **end, int base, int *negative)
{
    const char *at = text + strspn(text, " \t\n\v\f\r");
    unsigned long long value = 0;
    int digits = 0;
    *negative = *at == '-';
    at += *at == '-' || *at == '+';
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] | 0x20) == 'x' && digit_value(at[2]) < 16) {
        base = 16;
        at += 2;
    }
    if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    for (; digit_value(*at) < base; at++, digits++) {
        unsigned digit = (unsigned)digit_value(*at);
        value = value > (ULLONG_MAX - digit) / (unsigned)base ? ULLONG_MAX : value * (unsigned)base + digit;
    }
    if (end != NULL) {
        *end = (char *)(digits != 0 ? at : text);
    }
    return value;
}

unsigned long long strtoull(const char *text, char **end, int base)
{
    int negative;
    unsigned long long value = read_number(text, end, base, &negative);
    return negative ? 0 - value : value;
}

unsigned long strtoul(const char *text, char **end, int base)
{
    int negative;
    unsigned long long value = read_number(text, end, base, &negative);
    if (value > ULONG_MAX) {
        return ULONG_MAX;
    }
    return negative ? 0 - (unsigned long)value : (unsigned long)value;
}

long strtol(const char *text, char **end, int base)
{
    int negative;
    unsigned long long value = read_number(text, end, base, &negative);
    if (value > LONG_MAX) {
        return negative ? LONG_MIN : LONG_MAX;
    }
    return negative ? -(long)value : (long)value;
}

int atoi(const char *text)
{
    return (int)strtol(text, NULL, 10);
}

/* The value stands until the next call. */
char *getenv(const char *name)
{
    static char value[32768];
    DWORD length;
    SetLastError(ERROR_SUCCESS);
    length = GetEnvironmentVariableA(name, value, sizeof value);
    if (length >= sizeof value || (length == 0 && GetLastError() == ERROR_ENVVAR_NOT_FOUND)) {
        return NULL;
    }
    value[length] = '\0';
    return value;
}
