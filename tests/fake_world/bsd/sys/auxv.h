/* Of FreeBSD and OpenBSD. */
#ifndef FAKE_SYS_AUXV_H
#define FAKE_SYS_AUXV_H

#define AT_HWCAP 25

int elf_aux_info(int what, void *answer, int size);

#endif
