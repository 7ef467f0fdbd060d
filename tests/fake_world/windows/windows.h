/* Of Windows: the types and the two functions, without the constants that older SDKs lack. */
#ifndef FAKE_WINDOWS_H
#define FAKE_WINDOWS_H

typedef int BOOL;
typedef unsigned int DWORD; /* of 32 bits, as it is there */

BOOL IsProcessorFeaturePresent(DWORD feature);
DWORD GetEnvironmentVariableA(const char *name, char *buffer, DWORD size);

#endif
