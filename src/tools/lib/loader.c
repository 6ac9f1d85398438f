#define _POSIX_C_SOURCE 200809L
#include "tools/lib/loader.h"
#include "tools/lib/tools.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int
no_memory(void)
{
    complain("no memory left");
    return 0;
}

static int
append(loader_list *list, const char *path, size_t len)
{
    char **more = realloc(list->path, (size_t)(list->n + 1) * sizeof *more);
    if (more == NULL)
        return no_memory();
    list->path = more;
    if ((more[list->n] = strndup(path, len)) == NULL)
        return no_memory();
    ++list->n;
    return 1;
}

void
loader_free(loader_list *list)
{
    for (int k = 0; k < list->n; ++k)
        free(list->path[k]);
    free(list->path);
    list->path = NULL;
    list->n = 0;
}

/* a, b and c in one; NULL without memory. */
static char *
join(const char *a, const char *b, const char *c)
{
    const size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *s = malloc(size);
    if (s != NULL)
        snprintf(s, size, "%s%s%s", a, b, c);
    return s;
}

/* ------------------------------------------------ what it answers */

/* One line of the answer:
 *     \tNAME => PATH (0xADDRESS)   or   \tPATH (0xADDRESS)
 *     \tNAME => not found
 *     \tlinux-vdso.so.1 (0xADDRESS), which is no file
 *     \tstatically linked
 * A line that does not begin with a tab is a message of its own. */
static int
read_line(const char *line, loader_list *list)
{
    static const char arrow[] = " => ";
    if (line[0] != '\t') {
        complain("the dynamic linker says: %s", line);
        return 1;
    }
    const char *path = ++line, *gap = strstr(line, arrow), *end = NULL;
    if (gap != NULL)
        path = gap + strlen(arrow);
    for (const char *p = path; (p = strstr(p, " (0x")) != NULL; ++p)
        end = p;
    if (gap != NULL && end == NULL) {
        complain("%s: needs %.*s, which is not found", list->path[0],
                 (int)(gap - line), line);
        return 0;
    }
    if (end == NULL || memchr(path, '/', (size_t)(end - path)) == NULL)
        return 1;
    return append(list, path, (size_t)(end - path));
}

static int
read_answer(FILE *answer, loader_list *list)
{
    char *line = NULL;
    size_t size = 0;
    int ok = 1;
    /* To the end even after an error, or the linker dies of a closed pipe. */
    while (getline(&line, &size, answer) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        ok = read_line(line, list) && ok;
    }
    free(line);
    return ok;
}

/* ------------------------------------------------ asking */

/* Become the dynamic linker; its messages go where its answer goes. */
static void
become(const char *linker, const char *path, const char *preload, int out)
{
    char *const argv[] = {(char *)linker, "--list", (char *)path, NULL};
    if (dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0 &&
        setenv("LD_PRELOAD", preload, 1) == 0)
        execv(linker, argv);
    printf("%s: %s\n", linker, strerror(errno));
    fflush(stdout);
    _exit(127);
}

static int
ask(const char *linker, const char *path, const char *preload,
    loader_list *list)
{
    int ends[2], status = 0, ok = 0;
    FILE *answer = NULL;
    fflush(NULL);
    if (pipe(ends) != 0) {
        complain("pipe: %s", strerror(errno));
        return 0;
    }
    const pid_t child = fork();
    if (child == 0)
        become(linker, path, preload, ends[1]);
    close(ends[1]);
    if (child < 0 || (answer = fdopen(ends[0], "r")) == NULL) {
        complain("cannot start %s: %s", linker, strerror(errno));
        close(ends[0]);
    } else {
        ok = read_answer(answer, list);
        fclose(answer);
    }
    if (child > 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    if (ok && status != 0) {
        complain("%s: cannot be loaded", list->path[0]);
        ok = 0;
    }
    return ok;
}

/* A shared library names no dynamic linker; it would be loaded by the one
 * that has loaded this program. */
static int
own_linker(char **linker)
{
    elf_file *self;
    *linker = NULL;
    if (!elf_open("/proc/self/exe", &self))
        return 0;
    if (elf_interpreter(self) == NULL)
        complain("statically linked, so it cannot find libraries itself");
    else if ((*linker = join(elf_interpreter(self), "", "")) == NULL)
        no_memory();
    elf_close(self);
    return *linker != NULL;
}

/* Whether a file is what an entry of LD_PRELOAD means: a path, or the name of
 * a library that the linker has found somewhere. */
static int
is_entry(const char *path, const char *entry, size_t len)
{
    const char *base = strrchr(path, '/');
    return (strlen(path) == len && strncmp(path, entry, len) == 0) ||
           (base != NULL && strlen(base + 1) == len &&
            strncmp(base + 1, entry, len) == 0);
}

/* Of what cannot be preloaded the linker only warns; so look for the library
 * that was asked for, and count those from the environment with it. */
static int
find_preloads(loader_list *list, const char *all, const char *preload)
{
    int asked = preload == NULL;
    for (const char *p = all; p != NULL && *p != '\0';) {
        const size_t len = strcspn(p, ": ");
        const int k = list->npreload + 1;
        if (len > 0 && k < list->n && is_entry(list->path[k], p, len)) {
            list->npreload = k;
            asked = asked || p == all;
        }
        p += len + (p[len] != '\0');
    }
    if (!asked)
        complain("%s cannot be preloaded%s", preload,
                 strchr(preload, '/') != NULL
                     ? ""
                     : "; a file in the current directory is written ./FILE");
    return asked;
}

int
loader_ask(const elf_file *program, const char *path, const char *preload,
           loader_list *list)
{
    char *own = NULL, *file = NULL, *all = NULL;
    const char *linker = elf_interpreter(program);
    const char *before = getenv("LD_PRELOAD");
    int ok = 0;
    if (before == NULL)
        before = "";
    memset(list, 0, sizeof *list);
    if (!append(list, path, strlen(path)))
        return 0;
    if (elf_is_static(program))
        return 1;
    if (linker == NULL && own_linker(&own))
        linker = own;
    /* Without a slash the linker would look for a library of that name. */
    file = join(strchr(path, '/') != NULL ? "" : "./", path, "");
    all = join(preload != NULL ? preload : "", preload != NULL ? ":" : "",
               before);
    if (file == NULL || all == NULL)
        no_memory();
    else if (linker != NULL)
        ok = ask(linker, file, all, list) && find_preloads(list, all, preload);
    free(own);
    free(file);
    free(all);
    return ok;
}
