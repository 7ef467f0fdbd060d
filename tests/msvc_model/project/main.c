/* Uses all that a program of the stand-in may import. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

#include "core.h"

int main(int count, char **arguments)
{
    unsigned char bytes[16] = {0};
    const char *value = getenv("NAME");
    char line[80];
    printf("%s %d %02x %s\n", arguments[0], count, core(bytes), value != NULL ? value : "unset");
    if (fgets(line, sizeof line, stdin) != NULL) {
        fputs(line, stdout);
    }
    return IsProcessorFeaturePresent(PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE) != 0;
}
