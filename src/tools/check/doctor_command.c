/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* setenv, strdup */
#include "tools/check/doctor.h"
#include "tools/lib/launcher.h"
#include <stdlib.h>
#include <string.h>

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static int
is_launcher(const char *word)
{
    static const char *const begin[] = {"mpiexec", "mpirun",  "srun",
                                        "orterun", "prterun", "prun"};
    for (size_t k = 0; k < sizeof begin / sizeof *begin; ++k)
        if (strncmp(base_name(word), begin[k], strlen(begin[k])) == 0)
            return 1;
    return 0;
}

static int
is_one_of(const char *word, const char *const *list)
{
    for (; *list != NULL; ++list)
        if (strcmp(word, *list) == 0)
            return 1;
    return 0;
}

/* A variable of the processes.  LD_PRELOAD is not for this tool itself. */
static void
set(doctor *x, const char *name, size_t len, const char *value)
{
    static const char preload[] = "LD_PRELOAD";
    if (len == strlen(preload) && strncmp(name, preload, len) == 0) {
        free(x->preload);
        x->preload = strdup(value);
        return;
    }
    char *copy = strdup(name);
    if (copy != NULL) {
        copy[len] = '\0';
        setenv(copy, value, 1);
    }
    free(copy);
}

/* NAME=VALUE.
 * \return 0 if it is none. */
static int
set_word(doctor *x, const char *word)
{
    const size_t len = strcspn(word, "=");
    if (len == 0 || word[len] == '\0' || strchr("-/.", word[0]) != NULL)
        return 0;
    set(x, word, len, word + len + 1);
    return 1;
}

/* ALL,NAME=VALUE,... of srun. */
static void
set_words(doctor *x, const char *list)
{
    char *copy = strdup(list), *rest = NULL;
    for (char *w = copy != NULL ? strtok_r(copy, ",", &rest) : NULL; w != NULL;
         w = strtok_r(NULL, ",", &rest))
        set_word(x, w);
    free(copy);
}

/* The words of an option of a launcher.  Of most options it is not known
 * whether they take a value: they do unless a program follows. */
static int
option_words(doctor *x, char **word)
{
    static const char *const env[] = {"-env", "-genv", "--env", NULL};
    static const char *const two[] = {
        "-mca", "--mca", "-gmca", "--gmca", "--pmixmca", "--prtemca", NULL};
    char path[PATH_MAX];
    if (is_one_of(word[0], env) && word[1] != NULL && word[2] != NULL) {
        set(x, word[1], strlen(word[1]), word[2]);
        return 3;
    }
    if (strcmp(word[0], "-x") == 0 && word[1] != NULL) {
        set_word(x, word[1]);
        return 2;
    }
    if (strncmp(word[0], "--export=", 9) == 0)
        set_words(x, word[0] + 9);
    if (is_one_of(word[0], two) && word[1] != NULL && word[2] != NULL)
        return 3;
    if (strchr(word[0], '=') != NULL || word[1] == NULL || word[1][0] == '-' ||
        program_find(word[1], path) != NULL)
        return 1;
    return 2;
}

void
doctor_command_read(doctor *x)
{
    const char *before = getenv("LD_PRELOAD");
    int k = 0;
    if (before != NULL)
        x->preload = strdup(before);
    unsetenv("LD_PRELOAD");
    x->program = -1;
    if (x->word[0] == NULL)
        return;
    x->launcher = is_launcher(x->word[0]);
    if (x->launcher)
        for (k = 1; x->word[k] != NULL && x->word[k][0] == '-';)
            k += option_words(x, x->word + k);
    if (x->word[k] != NULL && strcmp(base_name(x->word[k]), "env") == 0) {
        ++k;
        while (x->word[k] != NULL && set_word(x, x->word[k]))
            ++k;
    }
    if (x->word[k] != NULL)
        x->program = k;
}
