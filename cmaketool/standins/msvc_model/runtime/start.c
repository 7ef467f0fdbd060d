/* SPDX-License-Identifier: MIT */
/* From the entry of a program to its end. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

#pragma comment(lib, "kernel32")

#define MOST_ARGUMENTS 64
#define LONGEST_LINE 32768 /* what Windows allows */
#define MOST_AT_EXIT 32

int main(int count, char **arguments);
void mainCRTStartup(void);

/* Named by objects that use floating-point numbers. */
int _fltused = 1;

static char line[LONGEST_LINE];
static char *arguments[MOST_ARGUMENTS + 1];
static void(__cdecl *at_exit[MOST_AT_EXIT])(void);
static int at_exit_count;

/* Copies the argument at `from` to `to`, without its quotes; returns where it ends. Backslashes are backslashes but
 * before a quote, where two of them are one, and a last odd one makes the quote a letter. */
static const char *copy_argument(const char *from, char **to)
{
    int quoted = 0;
    while (*from != '\0' && (quoted || (*from != ' ' && *from != '\t'))) {
        int backslashes = 0;
        while (from[backslashes] == '\\') {
            backslashes++;
        }
        if (from[backslashes] == '"') {
            for (int i = 0; i < backslashes / 2; i++) {
                *(*to)++ = '\\';
            }
            if (backslashes % 2 != 0) {
                *(*to)++ = '"';
            } else {
                quoted = !quoted;
            }
            from += backslashes + 1;
        } else {
            *(*to)++ = *from++;
        }
    }
    *(*to)++ = '\0';
    return from;
}

static int split_command_line(const char *from)
{
    int count = 0;
    char *to = line;
    while (count < MOST_ARGUMENTS) {
        while (*from == ' ' || *from == '\t') {
            from++;
        }
        if (*from == '\0') {
            break;
        }
        arguments[count++] = to;
        from = copy_argument(from, &to);
    }
    return count;
}

int atexit(void(__cdecl *function)(void))
{
    if (at_exit_count == MOST_AT_EXIT) {
        return 1;
    }
    at_exit[at_exit_count++] = function;
    return 0;
}

void exit(int code)
{
    while (at_exit_count > 0) {
        at_exit[--at_exit_count]();
    }
    (void)fflush(NULL);
    ExitProcess((UINT)code);
}

void abort(void)
{
    ExitProcess(3);
}

void mainCRTStartup(void)
{
    int count = split_command_line(GetCommandLineA());
    exit(main(count, arguments));
}
