/* SPDX-License-Identifier: MIT */
/* The three standard files. Nothing is translated between \n and \r\n. */
#include <stdio.h>
#include <string.h>
#include <windows.h>

struct mm_file {
    DWORD which; /* of Windows' standard handles */
    int failed, at_end;
    DWORD begin, end; /* of what waits in the buffer */
    char buffer[BUFSIZ];
};

static FILE files[3] = {{.which = STD_INPUT_HANDLE}, {.which = STD_OUTPUT_HANDLE}, {.which = STD_ERROR_HANDLE}};

FILE *mm_standard_file(int number)
{
    return &files[number];
}

int fflush(FILE *file)
{
    if (file == NULL) {
        return fflush(stdout) | fflush(stderr);
    }
    while (file->which != STD_INPUT_HANDLE && file->begin != file->end) {
        DWORD done = 0;
        if (!WriteFile(GetStdHandle(file->which), file->buffer + file->begin, file->end - file->begin, &done, NULL) ||
            done == 0) {
            file->failed = 1;
            file->begin = file->end;
            return EOF;
        }
        file->begin += done;
    }
    if (file->which != STD_INPUT_HANDLE) {
        file->begin = file->end = 0;
    }
    return 0;
}

int fputc(int letter, FILE *file)
{
    file->buffer[file->end++] = (char)letter;
    if (file->end == BUFSIZ || file->which == STD_ERROR_HANDLE) {
        (void)fflush(file);
    }
    return file->failed ? EOF : (unsigned char)letter;
}

size_t fwrite(const void *from, size_t size, size_t count, FILE *file)
{
    const char *read = from;
    for (size_t i = 0; i < size * count; i++) {
        if (fputc(read[i], file) == EOF) {
            return i / size;
        }
    }
    return count;
}

int fputs(const char *text, FILE *file)
{
    size_t length = strlen(text);
    return fwrite(text, 1, length, file) == length ? 0 : EOF;
}

int putchar(int letter)
{
    return fputc(letter, stdout);
}

int puts(const char *text)
{
    return fputs(text, stdout) == EOF ? EOF : putchar('\n');
}

int fgetc(FILE *file)
{
    if (file->begin == file->end && !file->at_end) {
        DWORD done = 0;
        (void)ReadFile(GetStdHandle(file->which), file->buffer, BUFSIZ, &done, NULL);
        file->begin = 0;
        file->end = done;
        file->at_end = done == 0;
    }
    return file->at_end ? EOF : (unsigned char)file->buffer[file->begin++];
}

int getchar(void)
{
    return fgetc(stdin);
}

size_t fread(void *to, size_t size, size_t count, FILE *file)
{
    char *write = to;
    for (size_t i = 0; i < size * count; i++) {
        int letter = fgetc(file);
        if (letter == EOF) {
            return i / size;
        }
        write[i] = (char)letter;
    }
    return count;
}

char *fgets(char *line, int size, FILE *file)
{
    int length = 0, letter = 0;
    while (length < size - 1 && letter != '\n' && (letter = fgetc(file)) != EOF) {
        line[length++] = (char)letter;
    }
    line[length] = '\0';
    return length == 0 ? NULL : line;
}

int feof(FILE *file)
{
    return file->at_end;
}

int ferror(FILE *file)
{
    return file->failed;
}
