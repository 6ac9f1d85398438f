/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "tools/lib/loader.h"
#include "tools/lib/tools.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------ the answer
 * Messages of the linker come first, then its libraries, then references. */

/* In a line of a library:
 *     \tNAME => PATH (0xADDRESS)   or   \tPATH (0xADDRESS)
 *     \tNAME => not found
 *     \tlinux-vdso.so.1 (0xADDRESS), which is no file
 *     \tstatically linked */
static int
read_library(char *line, const char *program, const loader_visitor *v)
{
    char *arrow = strstr(line, " => "), *end = NULL;
    char *path = arrow != NULL ? arrow + strlen(" => ") : line;
    for (char *p = path; (p = strstr(p, " (0x")) != NULL; ++p)
        end = p;
    if (arrow != NULL && end == NULL) {
        complain("%s: needs %.*s, which is not found", program,
                 (int)(arrow - line), line);
        return 0;
    }
    if (end != NULL)
        *end = '\0';
    return end == NULL || strchr(path, '/') == NULL ||
           v->library(v->state, path);
}

/* The part of a line between two texts, the first of which *at is moved
 * behind; NULL if they are not there. */
static char *
cut(char **at, const char *before, const char *after)
{
    char *from = strstr(*at, before);
    char *end = from != NULL ? strstr(from + strlen(before), after) : NULL;
    if (end == NULL)
        return NULL;
    *end = '\0';
    *at = end + 1;
    return from + strlen(before);
}

/* A reference:
 *     PID:\tbinding file FROM [0] to TO [0]: normal symbol `NAME' [VERSION]
 *     undefined symbol: NAME\t(FROM) */
static void
read_reference(char *line, const loader_visitor *v)
{
    char *from, *to, *name;
    if ((from = cut(&line, ":\tbinding file ", " [0] to ")) != NULL) {
        to = cut(&line, "] to ", " [0]: ");
        if (to != NULL && (name = cut(&line, " symbol `", "'")) != NULL)
            v->reference(v->state, from, name, to);
    } else if (strncmp(line, "undefined symbol: ", 18) == 0 &&
               (name = cut(&line, "undefined symbol: ", "\t")) != NULL &&
               (from = cut(&line, "(", ")")) != NULL) {
        name[strcspn(name, ",")] = '\0';
        v->reference(v->state, from, name, NULL);
    }
}

static int
read_answer(FILE *answer, const char *program, const loader_visitor *v)
{
    char *line = NULL;
    size_t size = 0;
    int ok = 1, is_listed = 0;
    /* To the end even after an error: a closed pipe would end the linker. */
    while (getline(&line, &size, answer) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '\t') {
            ok = read_library(line + 1, program, v) && ok;
            is_listed = 1;
        } else if (line[0] == ' ' || is_listed) {
            read_reference(line, v);
        } else {
            complain("the dynamic linker says: %s", line);
        }
    }
    free(line);
    return ok;
}

/* ------------------------------------------------ the question */

/* Become the dynamic linker; its messages go where its answer goes.  That of
 * glibc lists libraries, and with LD_WARN resolves all references, without
 * running a function of the program.  Another one might run it. */
static void
become(const char *linker, int is_glibc, const char *path, const char *preload,
       int out)
{
    char file[PATH_MAX];
    char *const ask[] = {(char *)linker, file, NULL};
    char *const list[] = {(char *)linker, "--list", file, NULL};
    /* Without a slash the linker would look for a library of that name. */
    const char *folder = strchr(path, '/') != NULL ? "" : "./";
    if (snprintf(file, sizeof file, "%s%s", folder, path) < (int)sizeof file &&
        dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0 &&
        setenv("LD_PRELOAD", preload, 1) == 0 &&
        setenv("LD_TRACE_LOADED_OBJECTS", "1", 1) == 0 &&
        setenv("LD_WARN", "1", 1) == 0 && setenv("LD_BIND_NOW", "1", 1) == 0 &&
        setenv("LD_DEBUG", "bindings", 1) == 0 &&
        unsetenv("LD_DEBUG_OUTPUT") == 0 && unsetenv("LD_VERBOSE") == 0)
        execv(linker, is_glibc ? ask : list);
    printf("%s: %s\n", linker, strerror(errno));
    fflush(stdout);
    _exit(127);
}

/* A function that every dynamic linker of glibc has. */
static void
find_glibc(void *is_glibc, const char *name, int is_exported)
{
    if (is_exported && strcmp(name, "_dl_mcount") == 0)
        *(int *)is_glibc = 1;
}

int
loader_ask(const elf_file *elf, const char *path, const char *preload,
           const loader_visitor *v)
{
    int ends[2], is_glibc = 0, status = 0, ok = 0;
    elf_file self, linker;
    FILE *answer = NULL;
    /* A shared library names no linker; that of this program would load it. */
    if (elf->kind == ELF_LIBRARY) {
        if (!elf_read("/proc/self/exe", &self, NULL, NULL))
            return 0;
        if (self.kind != ELF_DYNAMIC) {
            complain("statically linked, so it cannot find libraries itself");
            return 0;
        }
        elf = &self;
    }
    if (access(elf->linker, R_OK) == 0 &&
        elf_read(elf->linker, &linker, find_glibc, &is_glibc) && !is_glibc)
        complain("%s is not of glibc: it does not report calls", elf->linker);
    fflush(NULL);
    if (pipe(ends) != 0) {
        complain("pipe: %s", strerror(errno));
        return 0;
    }
    const pid_t child = fork();
    if (child == 0)
        become(elf->linker, is_glibc, path, preload, ends[1]);
    close(ends[1]);
    if (child < 0 || (answer = fdopen(ends[0], "r")) == NULL) {
        complain("cannot start %s: %s", elf->linker, strerror(errno));
        close(ends[0]);
    } else {
        ok = read_answer(answer, path, v);
        fclose(answer);
    }
    if (child > 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    if (ok && status != 0)
        complain("%s: cannot be loaded", path);
    return ok && status == 0;
}
