#include <windows.h>

int f(void);
int f(void)
{
    char text[16];
    DWORD length = GetEnvironmentVariableA("NAME", text, sizeof text);
    return length < sizeof text && IsProcessorFeaturePresent(PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE);
}
