/* Of GCC and Clang, by another CPU than this one. */
#ifndef FAKE_CPUID_H
#define FAKE_CPUID_H

/* answer: eax, ebx, ecx, edx. */
void fake_cpuid(unsigned leaf, unsigned subleaf, unsigned answer[4]);

#define __cpuid_count(leaf, subleaf, a, b, c, d)   \
    do {                                           \
        unsigned fake_answer[4];                   \
        fake_cpuid((leaf), (subleaf), fake_answer); \
        (a) = fake_answer[0];                      \
        (b) = fake_answer[1];                      \
        (c) = fake_answer[2];                      \
        (d) = fake_answer[3];                      \
    } while (0)
#define __cpuid(leaf, a, b, c, d) __cpuid_count(leaf, 0, a, b, c, d)

static __inline unsigned __get_cpuid_max(unsigned range, unsigned *signature)
{
    unsigned answer[4];
    fake_cpuid(range, 0, answer);
    if (signature != 0) {
        *signature = answer[1];
    }
    return answer[0];
}

static __inline int __get_cpuid_count(
    unsigned leaf, unsigned subleaf, unsigned *a, unsigned *b, unsigned *c, unsigned *d)
{
    if (__get_cpuid_max(leaf & 0x80000000u, 0) < leaf) {
        return 0;
    }
    __cpuid_count(leaf, subleaf, *a, *b, *c, *d);
    return 1;
}

static __inline int __get_cpuid(unsigned leaf, unsigned *a, unsigned *b, unsigned *c, unsigned *d)
{
    return __get_cpuid_count(leaf, 0, a, b, c, d);
}

#endif
