/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* RTLD_NEXT, RTLD_NOLOAD, dladdr, dl_iterate_phdr */
#include "shim/find.h"
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>

typedef struct {
    const char *name;
    void *found;
} search;

static const void *
base_of(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) != 0 ? info.dli_fbase : NULL;
}

int
hesca_find_is_together(const void *x, const void *y)
{
    const void *base = base_of(x);
    return base != NULL && base == base_of(y);
}

int
hesca_find_is_program(const void *address)
{
    return hesca_find_is_together(address, (const void *)getauxval(AT_ENTRY));
}

typedef struct {
    uintptr_t address;
    hesca_extent found;
} place;

static int
look_whether_in(struct dl_phdr_info *object, size_t size, void *data)
{
    place *x = data;
    uintptr_t begin = UINTPTR_MAX, end = 0;
    (void)size;
    for (int k = 0; k < object->dlpi_phnum; ++k) {
        const ElfW(Phdr) *p = &object->dlpi_phdr[k];
        const uintptr_t at = (uintptr_t)object->dlpi_addr + p->p_vaddr;
        if (p->p_type != PT_LOAD)
            continue;
        begin = at < begin ? at : begin;
        end = at + p->p_memsz > end ? at + p->p_memsz : end;
    }
    if (x->address < begin || x->address >= end)
        return 0;
    x->found = (hesca_extent){begin, end - begin};
    return 1;
}

hesca_extent
hesca_find_extent(const void *address)
{
    place x = {.address = (uintptr_t)address};
    dl_iterate_phdr(look_whether_in, &x);
    return x.found;
}

/* Whether a symbol is one of this library. */
static int
is_own(const void *symbol)
{
    return base_of(symbol) == base_of((void *)(uintptr_t)hesca_find);
}

static int
look_into(struct dl_phdr_info *object, size_t size, void *data)
{
    search *s = data;
    (void)size;
    if (object->dlpi_name == NULL || object->dlpi_name[0] == '\0')
        return 0;
    void *library = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL)
        return 0;
    void *symbol = dlsym(library, s->name);
    dlclose(library);
    if (symbol == NULL || is_own(symbol))
        return 0;
    s->found = symbol;
    return 1;
}

/* Ask the linker first one way, then the other, then every object. */
static hesca_function
find(const char *name, void *first, void *then)
{
    search s = {.name = name, .found = dlsym(first, name)};
    if (s.found == NULL || is_own(s.found))
        s.found = dlsym(then, name);
    if (s.found == NULL || is_own(s.found)) {
        s.found = NULL;
        dl_iterate_phdr(look_into, &s);
    }
    return (hesca_function)(uintptr_t)s.found;
}

hesca_function
hesca_find(const char *name)
{
    return find(name, RTLD_DEFAULT, RTLD_NEXT);
}

hesca_function
hesca_find_behind(const char *name)
{
    return find(name, RTLD_NEXT, RTLD_DEFAULT);
}
