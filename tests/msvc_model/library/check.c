/* The C library of the stand-in: prints what the test compares. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void __cdecl goodbye(void)
{
    puts("goodbye");
}

static void print_numbers(void)
{
    char text[8];
    int length = snprintf(text, sizeof text, "%s", "truncated");
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%i]\n", -7, 42, 42, 42, 42, 42, 0);
    printf("[%u] [%x] [%08x] [%#x] [%X] [%o] [%.3u]\n", 4294967295u, 255, 0xbeef, 255, 0xABCu, 8, 5);
    printf("[%llu] [%lld] [%zu] [%I64x] [%hhu] [%hd]\n", 18446744073709551615ull, -9223372036854775807ll - 1,
           (size_t)123456789012, 0x123456789abcdefull, 258, 65535);
    printf("[%s] [%10s] [%-10s] [%.2s] [%c] [%%] [%*d] [%.*s]\n", "text", "right", "left", "cut", 'c', 4, 7, 1, "ab");
    printf("[%s] [%p] [%q]\n", (const char *)NULL, (void *)(uintptr_t)0xabcd);
    printf("[%s] %d\n", text, length);
}

static void print_texts(void)
{
    char words[] = "  one two,three ";
    char *end;
    char overlap[] = "abcdef";
    for (char *word = strtok(words, " ,"); word != NULL; word = strtok(NULL, " ,")) {
        printf("<%s>", word);
    }
    memmove(overlap + 1, overlap, 5);
    printf(" %s %d %d", overlap, strcmp("a", "b"), strncmp("abc", "abd", 2));
    printf(" %s %s %s", strchr("path/name", '/'), strrchr("a.b.c", '.'), strstr("haystack", "st"));
    printf(" %d %d\n", strchr("abc", 'x') == NULL, memcmp("ab\0c", "ab\0d", 4));
    printf("%llu", strtoull("0x1fz", &end, 0));
    printf("%s %lu %ld %d", end, strtoul(" 077,", NULL, 0), strtol("-12", NULL, 10), atoi("34x"));
    printf(" %llu %s\n", strtoull("99999999999999999999", NULL, 10), strtoull("none", &end, 10) == 0 ? end : "");
}

static void print_memory(void)
{
    unsigned char *first = malloc(100);
    unsigned char *second = calloc(10, 10);
    memset(first, 7, 100);
    second[99]++;
    first = realloc(first, 200);
    printf("%d %d %d", first[0], first[99], second[99]);
    printf(" %d %d\n", malloc((size_t)-1) == NULL, calloc((size_t)1 << 40, (size_t)1 << 40) == NULL);
    printf("%s", getenv("KNOWN"));
    printf(" [%s] %d\n", getenv("EMPTY"), getenv("OTHER") == NULL);
}

int main(int count, char **arguments)
{
    char line[8];
    atexit(goodbye);
    for (int i = 0; i < count; i++) {
        printf("{%s}", arguments[i]);
    }
    putchar('\n');
    print_numbers();
    print_texts();
    print_memory();
    while (fgets(line, sizeof line, stdin) != NULL) {
        printf("(%s)", line);
    }
    printf(" %d %d\n", feof(stdin) != 0, getchar());
    fputs("to standard error\n", stderr);
    return 5;
}
