/* SPDX-License-Identifier: MIT */
/* What detection code asks Windows, what tests ask it for, and what the start-up code of the stand-in needs. */
#ifndef MSVC_MODEL_WINDOWS_H
#define MSVC_MODEL_WINDOWS_H

#define WINAPI __stdcall
#define WINBASEAPI __declspec(dllimport)

typedef int BOOL;
typedef unsigned int UINT;
typedef unsigned long DWORD;
typedef DWORD *PDWORD;
typedef unsigned __int64 SIZE_T;
typedef char *LPSTR;
typedef const char *LPCSTR;
typedef void *HANDLE;
typedef void *LPVOID;

#define FALSE 0
#define TRUE 1
#define ERROR_SUCCESS 0
#define ERROR_ENVVAR_NOT_FOUND 203
#define STD_INPUT_HANDLE ((DWORD)-10)
#define STD_OUTPUT_HANDLE ((DWORD)-11)
#define STD_ERROR_HANDLE ((DWORD)-12)
#define MEM_COMMIT 0x1000
#define MEM_RESERVE 0x2000
#define PAGE_NOACCESS 0x01
#define PAGE_READWRITE 0x04
#define PF_ARM_V8_INSTRUCTIONS_AVAILABLE 29
#define PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE 30
#define PF_ARM_V8_CRC32_INSTRUCTIONS_AVAILABLE 31

WINBASEAPI BOOL WINAPI IsProcessorFeaturePresent(DWORD feature);
WINBASEAPI DWORD WINAPI GetEnvironmentVariableA(LPCSTR name, LPSTR buffer, DWORD size);
WINBASEAPI DWORD WINAPI GetLastError(void);
WINBASEAPI void WINAPI SetLastError(DWORD code);
WINBASEAPI LPSTR WINAPI GetCommandLineA(void);
WINBASEAPI HANDLE WINAPI GetStdHandle(DWORD which);
WINBASEAPI BOOL WINAPI ReadFile(HANDLE file, void *to, DWORD size, DWORD *done, void *overlapped);
WINBASEAPI BOOL WINAPI WriteFile(HANDLE file, const void *from, DWORD size, DWORD *done, void *overlapped);
WINBASEAPI LPVOID WINAPI VirtualAlloc(LPVOID address, SIZE_T size, DWORD type, DWORD protection);
WINBASEAPI BOOL WINAPI VirtualProtect(LPVOID address, SIZE_T size, DWORD protection, PDWORD before);
WINBASEAPI __declspec(noreturn) void WINAPI ExitProcess(UINT code);

#endif
