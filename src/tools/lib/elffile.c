/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads ELF as described in the System V ABI, chapters 4 and 5. */
#define _POSIX_C_SOURCE 200809L
#include "tools/lib/elffile.h"
#include "tools/lib/tools.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    const char *path;
    const unsigned char *data;
    uint64_t size;
    const Elf64_Ehdr *head;
} image;

/* n structures at an offset; NULL if they are not inside the file, or are not
 * aligned, as they are in a sound file. */
static const void *
at(const image *f, uint64_t offset, uint64_t n, uint64_t size)
{
    return offset <= f->size && n <= (f->size - offset) / size &&
                   (size == 1 || offset % 8 == 0)
               ? f->data + offset
               : NULL;
}

static int
damaged(const image *f, const char *what)
{
    complain("%s: damaged ELF file: %s", f->path, what);
    return 0;
}

/* Many applications are started by a script; the program that the script
 * starts is the one to check. */
static void
refuse_script(const image *f)
{
    const char *text = (const char *)f->data + 2;
    uint64_t n = 0, skip = 0;
    while (skip < f->size - 2 && (text[skip] == ' ' || text[skip] == '\t'))
        ++skip;
    while (skip + n < f->size - 2 && n < 200 && text[skip + n] != '\n')
        ++n;
    complain("%s: a script, run by %.*s; check the program that it starts, or "
             "that interpreter with --preload, or the extension module (.so) "
             "that calls ScaLAPACK with --preload",
             f->path, (int)n, text + skip);
}

/* ------------------------------------------------ parts of a file
 * Each part is inside the file before it is read. */

static int
read_head(image *f)
{
    const unsigned one = 1;
    const int order =
        *(const unsigned char *)&one == 1 ? ELFDATA2LSB : ELFDATA2MSB;
    const char *wrong = NULL;
    f->head = at(f, 0, 1, sizeof *f->head);
    if (f->size < EI_NIDENT || memcmp(f->data, ELFMAG, SELFMAG) != 0)
        wrong = "not a program (no ELF file)";
    else if (f->data[EI_CLASS] != ELFCLASS64)
        wrong = "a 32-bit program: HESCA serves 64-bit programs only";
    else if (f->data[EI_DATA] != order)
        wrong = "for a machine of another byte order";
    else if (f->head == NULL)
        return damaged(f, "header cut off");
    else if (f->head->e_type != ET_EXEC && f->head->e_type != ET_DYN)
        wrong = "neither a program nor a shared library";
    if (f->size >= 2 && memcmp(f->data, "#!", 2) == 0)
        refuse_script(f);
    else if (wrong != NULL)
        complain("%s: %s", f->path, wrong);
    else
        return 1;
    return 0;
}

/* A position-independent program without a dynamic linker is a static one. */
static int
read_dynamic(const image *f, const Elf64_Phdr *part, elf_file *elf)
{
    const uint64_t n = part->p_filesz / sizeof(Elf64_Dyn);
    const Elf64_Dyn *d = at(f, part->p_offset, n, sizeof *d);
    int is_program = 0;
    if (d == NULL)
        return damaged(f, "dynamic section cut off");
    for (uint64_t k = 0; k < n && d[k].d_tag != DT_NULL; ++k) {
        const uint64_t flags = d[k].d_un.d_val;
        if (d[k].d_tag == DT_SYMBOLIC ||
            (d[k].d_tag == DT_FLAGS && (flags & DF_SYMBOLIC) != 0))
            elf->is_symbolic = 1;
        if (d[k].d_tag == DT_FLAGS_1)
            is_program = (flags & DF_1_PIE) != 0;
    }
    if (elf->kind == ELF_STATIC && !is_program)
        elf->kind = ELF_LIBRARY;
    return 1;
}

static int
read_segments(const image *f, elf_file *elf)
{
    const unsigned n = f->head->e_phnum;
    const Elf64_Phdr *part = at(f, f->head->e_phoff, n, sizeof *part);
    if (n > 0 && (part == NULL || f->head->e_phentsize != sizeof *part))
        return damaged(f, "program headers");
    for (unsigned k = 0; k < n; ++k) {
        const uint64_t size = part[k].p_filesz;
        const char *name = at(f, part[k].p_offset, size, 1);
        if (part[k].p_type != PT_INTERP)
            continue;
        if (name == NULL || size == 0 || size > sizeof elf->linker ||
            name[size - 1] != '\0')
            return damaged(f, "name of the dynamic linker");
        elf->kind = ELF_DYNAMIC;
        memcpy(elf->linker, name, size);
    }
    for (unsigned k = 0; k < n; ++k)
        if (part[k].p_type == PT_DYNAMIC && !read_dynamic(f, &part[k], elf))
            return 0;
    return 1;
}

/* Local symbols of the full table count: --wrap and archives may leave a
 * routine local. */
static int
read_symbols(const image *f, const Elf64_Shdr *table, const Elf64_Shdr *names,
             elf_visit *visit, void *state)
{
    const uint64_t n = table->sh_size / sizeof(Elf64_Sym);
    const Elf64_Sym *s = at(f, table->sh_offset, n, sizeof *s);
    const char *text = at(f, names->sh_offset, names->sh_size, 1);
    if (s == NULL || table->sh_entsize != sizeof *s || text == NULL)
        return damaged(f, "symbol table");
    if (names->sh_size == 0 || text[names->sh_size - 1] != '\0')
        return damaged(f, "names of symbols");
    for (uint64_t k = 0; k < n; ++k) {
        const int bind = ELF64_ST_BIND(s[k].st_info);
        const int sight = ELF64_ST_VISIBILITY(s[k].st_other);
        const int is_exported =
            table->sh_type == SHT_DYNSYM &&
            (bind == STB_GLOBAL || bind == STB_WEAK) &&
            (sight == STV_DEFAULT || sight == STV_PROTECTED);
        if (s[k].st_shndx != SHN_UNDEF && s[k].st_name < names->sh_size &&
            (is_exported || table->sh_type == SHT_SYMTAB))
            visit(state, text + s[k].st_name, is_exported);
    }
    return 1;
}

static int
read_sections(const image *f, elf_file *elf, elf_visit *visit, void *state)
{
    const unsigned n = f->head->e_shnum;
    const Elf64_Shdr *s = at(f, f->head->e_shoff, n, sizeof *s);
    if (n == 0) {
        complain("%s: has no section headers, so its symbols cannot be read",
                 f->path);
        return 0;
    }
    if (s == NULL || f->head->e_shentsize != sizeof *s)
        return damaged(f, "section headers");
    for (unsigned k = 0; k < n; ++k) {
        if (s[k].sh_type != SHT_DYNSYM && s[k].sh_type != SHT_SYMTAB)
            continue;
        if (s[k].sh_link >= n)
            return damaged(f, "symbol table");
        if (!read_symbols(f, &s[k], &s[s[k].sh_link], visit, state))
            return 0;
        elf->has_symtab |=
            s[k].sh_type == SHT_SYMTAB && s[k].sh_size >= sizeof(Elf64_Sym);
    }
    return 1;
}

int
elf_read(const char *path, elf_file *elf, elf_visit *visit, void *state)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const char *wrong = NULL;
    image f = {.path = path};
    struct stat s;
    void *data = MAP_FAILED;
    memset(elf, 0, sizeof *elf);
    if (fd < 0 || fstat(fd, &s) != 0)
        wrong = strerror(errno);
    else if (!S_ISREG(s.st_mode))
        wrong = "not a file";
    else if (s.st_size == 0)
        wrong = "empty, not a program";
    else if ((data = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd,
                          0)) == MAP_FAILED)
        wrong = strerror(errno);
    if (wrong != NULL)
        complain("%s: %s", path, wrong);
    if (fd >= 0)
        close(fd);
    if (wrong != NULL)
        return 0;
    f.data = data;
    f.size = (uint64_t)s.st_size;
    const int ok = read_head(&f) && read_segments(&f, elf) &&
                   (visit == NULL || read_sections(&f, elf, visit, state));
    munmap(data, (size_t)s.st_size);
    return ok;
}
