/* KERNEL32 on Linux for AArch64, as far as the C library of the stand-in asks: so it can be tested under qemu. */
#include <stddef.h>
#include <windows.h>

static char command_line[] = "\"C:\\some folder\\app.exe\"  plain \"two words\" \\\"quoted\\\" a\\\\b \"\" end\\";

static long call(long number, long a, long b, long c)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
}

LPSTR GetCommandLineA(void)
{
    return command_line;
}

HANDLE GetStdHandle(DWORD which)
{
    return (HANDLE)(-10 - (long)(int)which);
}

BOOL ReadFile(HANDLE file, void *to, DWORD size, DWORD *done, void *overlapped)
{
    long got = call(63, (long)file, (long)to, (long)size);
    (void)overlapped;
    *done = got < 0 ? 0 : (DWORD)got;
    return got >= 0;
}

BOOL WriteFile(HANDLE file, const void *from, DWORD size, DWORD *done, void *overlapped)
{
    long put = call(64, (long)file, (long)from, (long)size);
    (void)overlapped;
    *done = put < 0 ? 0 : (DWORD)put;
    return put >= 0;
}

void ExitProcess(UINT code)
{
    for (;;) {
        call(94, (long)code, 0, 0);
    }
}

static DWORD last_error;

DWORD GetLastError(void)
{
    return last_error;
}

void SetLastError(DWORD code)
{
    last_error = code;
}

/* KNOWN is "value", EMPTY is empty, others are not set. */
DWORD GetEnvironmentVariableA(LPCSTR name, LPSTR buffer, DWORD size)
{
    static const char value[] = "value";
    DWORD length = 0;
    if (name[0] == 'K') {
        for (; value[length] != '\0' && length < size; length++) {
            buffer[length] = value[length];
        }
    } else if (name[0] != 'E') {
        last_error = ERROR_ENVVAR_NOT_FOUND;
    }
    return length;
}

BOOL IsProcessorFeaturePresent(DWORD feature)
{
    (void)feature;
    return FALSE;
}
