/* SPDX-License-Identifier: BSD-3-Clause */
/* Models that call the user's C: emitted, compiled, and loaded. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, fork */
#include "pmdl/emit.h"
#include "tools/lib/tools.h"
#include "tools/model/model.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGS_MOST = 2 * MODEL_WITH_MOST };

/* Words of a text of options, which are separated by blanks. */
static int
split(char *text, const char **list, int n, int room)
{
    char *rest = NULL;
    for (char *w = strtok_r(text, " \t", &rest); w != NULL && n < room;
         w = strtok_r(NULL, " \t", &rest))
        list[n++] = w;
    return n;
}

/* Run a compiler: 1 if it succeeds. */
static int
run_compiler(const char *const *argv)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[0], (char *const *)(size_t)argv);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return complain("%s: %s", argv[0], strerror(errno)), 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return complain("%s: the compiler cannot be started; --cc names "
                        "another",
                        argv[0]),
               0;
    if (status != 0)
        return complain("%s: the model was not compiled", argv[0]), 0;
    return 1;
}

static int
compile(const model_task *t, const char *source, const char *object)
{
    const model_options *o = t->options;
    const char *argv[ARGS_MOST + 32], *cc = getenv("CC");
    char flags[1024], dir[512];
    int n = 0;
    argv[n++] = o->cc != NULL ? o->cc : cc != NULL && *cc ? cc : "cc";
    argv[n++] = "-std=c11";
    argv[n++] = "-O2";
    argv[n++] = "-ffp-contract=off";
    argv[n++] = "-fPIC";
    argv[n++] = "-shared";
    argv[n++] = "-Wall";
    argv[n++] = "-Wextra";
    argv[n++] = "-I" INCLUDEDIR;
    /* The model's own headers lie beside it. */
    snprintf(dir, sizeof dir, "-I%.400s", t->path);
    char *slash = strrchr(dir, '/');
    if (slash != NULL && slash > dir + 2)
        *slash = '\0';
    else
        strcpy(dir, "-I.");
    argv[n++] = dir;
    if (o->cflags != NULL) {
        snprintf(flags, sizeof flags, "%s", o->cflags);
        n = split(flags, argv, n, ARGS_MOST);
    }
    argv[n++] = "-o";
    argv[n++] = object;
    argv[n++] = source;
    for (size_t k = 0; k < o->nwith; ++k)
        argv[n++] = o->with[k];
    argv[n++] = "-lm";
    argv[n] = NULL;
    return run_compiler(argv);
}

static int
emit(const model_task *t, const char *source)
{
    FILE *out = fopen(source, "w");
    if (out == NULL)
        return complain("%s: %s", source, strerror(errno)), 0;
    hesca_emit_file(out, t->file);
    const int bad = ferror(out);
    if (fclose(out) != 0 || bad)
        return complain("%s cannot be written", source), 0;
    return 1;
}

static int
load(model_task *t, const char *object, const char *name)
{
    char symbol[300];
    t->library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    if (t->library == NULL)
        return complain("%s", dlerror()), 0;
    snprintf(symbol, sizeof symbol, "hesca_model_%.200s", name);
    t->code = dlsym(t->library, symbol);
    if (t->code == NULL)
        return complain("%s", dlerror()), 0;
    return 1;
}

int
model_load_native(model_task *t, const char *name)
{
    const char *tmp = getenv("TMPDIR");
    char dir[400], source[420], object[420];
    snprintf(dir, sizeof dir, "%.380s/hesca-XXXXXX",
             tmp != NULL && *tmp ? tmp : "/tmp");
    if (mkdtemp(dir) == NULL)
        return complain("%s: %s", dir, strerror(errno)), 0;
    snprintf(source, sizeof source, "%s/model.c", dir);
    snprintf(object, sizeof object, "%s/model.so", dir);
    const int ok =
        emit(t, source) && compile(t, source, object) && load(t, object, name);
    unlink(source);
    unlink(object);
    rmdir(dir);
    return ok;
}
