/* Reads ELF as the System V ABI, chapters 4 and 5, describes it.  Structures
 * are copied out of the mapped file, since nothing guarantees that a damaged
 * file keeps them aligned. */
#define _POSIX_C_SOURCE 200809L
#include "tools/lib/elffile.h"
#include "tools/lib/tools.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A table of symbols with its strings, which end with a zero; 0 symbols if the
 * file has none. */
typedef struct {
    uint64_t offset, n;
    uint64_t strings, nstrings;
    unsigned section;
} symbol_table;

struct elf_file {
    const char *path;
    unsigned char *data;
    uint64_t size;
    Elf64_Ehdr head;
    const char *interpreter;
    int dynamic, symbolic, pie;
    symbol_table dynsym, symtab;
};

/* ------------------------------------------------ the file */

/* Whether n things of some size lie inside of the file. */
static int
inside(const elf_file *f, uint64_t offset, uint64_t n, uint64_t size)
{
    return offset <= f->size && n <= (f->size - offset) / size;
}

static int
take(const elf_file *f, uint64_t offset, void *out, size_t size)
{
    if (!inside(f, offset, 1, size))
        return 0;
    memcpy(out, f->data + offset, size);
    return 1;
}

static int
damaged(const elf_file *f, const char *what)
{
    complain("%s: damaged ELF file: %s", f->path, what);
    return 0;
}

static int
map(elf_file *f)
{
    struct stat s;
    const int fd = open(f->path, O_RDONLY | O_CLOEXEC);
    int ok = 0;
    if (fd < 0 || fstat(fd, &s) != 0) {
        complain("%s: %s", f->path, strerror(errno));
    } else if (!S_ISREG(s.st_mode)) {
        complain("%s: not a file", f->path);
    } else if (s.st_size > 0) {
        void *data =
            mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        ok = data != MAP_FAILED;
        if (ok) {
            f->data = data;
            f->size = (uint64_t)s.st_size;
        } else {
            complain("%s: %s", f->path, strerror(errno));
        }
    } else {
        complain("%s: empty, not a program", f->path);
    }
    if (fd >= 0)
        close(fd);
    return ok;
}

/* Many applications are started by a script; what counts is what it starts. */
static int
is_script(const elf_file *f)
{
    enum { MOST = 200 };
    char line[MOST + 1] = "";
    if (f->size < 2 || memcmp(f->data, "#!", 2) != 0)
        return 0;
    memcpy(line, f->data + 2, f->size - 2 < MOST ? f->size - 2 : MOST);
    const char *word = line + strspn(line, " \t");
    complain("%s: a script, run by %.*s; check the program that it starts, or "
             "that interpreter with --preload, or the extension module (.so) "
             "that calls ScaLAPACK with --preload",
             f->path, (int)strcspn(word, "\n"), word);
    return 1;
}

static int
check_head(elf_file *f)
{
    const unsigned one = 1;
    unsigned char little;
    memcpy(&little, &one, 1);
    if (is_script(f))
        return 0;
    if (f->size < EI_NIDENT || memcmp(f->data, ELFMAG, SELFMAG) != 0) {
        complain("%s: not a program (no ELF file)", f->path);
        return 0;
    }
    if (f->data[EI_CLASS] != ELFCLASS64) {
        complain("%s: a 32-bit program: HESCA serves 64-bit programs only",
                 f->path);
        return 0;
    }
    if (f->data[EI_DATA] != (little ? ELFDATA2LSB : ELFDATA2MSB)) {
        complain("%s: for a machine of another byte order", f->path);
        return 0;
    }
    if (!take(f, 0, &f->head, sizeof f->head))
        return damaged(f, "header cut off");
    if (f->head.e_type != ET_EXEC && f->head.e_type != ET_DYN) {
        complain("%s: neither a program nor a shared library", f->path);
        return 0;
    }
    return 1;
}

/* ------------------------------------------------ its parts */

static int
read_dynamic(elf_file *f, const Elf64_Phdr *part)
{
    const uint64_t n = part->p_filesz / sizeof(Elf64_Dyn);
    Elf64_Dyn d;
    if (!inside(f, part->p_offset, n, sizeof d))
        return damaged(f, "dynamic section cut off");
    f->dynamic = 1;
    for (uint64_t k = 0; k < n; ++k) {
        take(f, part->p_offset + k * sizeof d, &d, sizeof d);
        if (d.d_tag == DT_NULL)
            break;
        if (d.d_tag == DT_SYMBOLIC ||
            (d.d_tag == DT_FLAGS && (d.d_un.d_val & DF_SYMBOLIC) != 0))
            f->symbolic = 1;
        if (d.d_tag == DT_FLAGS_1 && (d.d_un.d_val & DF_1_PIE) != 0)
            f->pie = 1;
    }
    return 1;
}

static int
read_segments(elf_file *f)
{
    const Elf64_Ehdr *h = &f->head;
    Elf64_Phdr part;
    if (h->e_phnum > 0 && (h->e_phentsize != sizeof part ||
                           !inside(f, h->e_phoff, h->e_phnum, sizeof part)))
        return damaged(f, "program headers");
    for (unsigned k = 0; k < h->e_phnum; ++k) {
        take(f, h->e_phoff + k * sizeof part, &part, sizeof part);
        if (part.p_type == PT_INTERP) {
            if (part.p_filesz == 0 ||
                !inside(f, part.p_offset, part.p_filesz, 1) ||
                f->data[part.p_offset + part.p_filesz - 1] != '\0')
                return damaged(f, "name of the dynamic linker");
            f->interpreter = (const char *)f->data + part.p_offset;
        } else if (part.p_type == PT_DYNAMIC && !read_dynamic(f, &part)) {
            return 0;
        }
    }
    return 1;
}

static int
read_section(const elf_file *f, unsigned k, Elf64_Shdr *s)
{
    return k < f->head.e_shnum &&
           take(f, f->head.e_shoff + k * sizeof *s, s, sizeof *s);
}

static int
read_table(const elf_file *f, unsigned section, const Elf64_Shdr *s,
           symbol_table *t)
{
    Elf64_Shdr strings;
    t->section = section;
    t->offset = s->sh_offset;
    t->n = s->sh_size / sizeof(Elf64_Sym);
    if (s->sh_entsize != sizeof(Elf64_Sym) ||
        !inside(f, t->offset, t->n, sizeof(Elf64_Sym)) ||
        !read_section(f, s->sh_link, &strings) ||
        !inside(f, strings.sh_offset, strings.sh_size, 1))
        return damaged(f, "symbol table");
    t->strings = strings.sh_offset;
    t->nstrings = strings.sh_size;
    if (t->nstrings == 0 || f->data[t->strings + t->nstrings - 1] != '\0')
        return damaged(f, "names of symbols");
    return 1;
}

static int
read_sections(elf_file *f)
{
    const Elf64_Ehdr *h = &f->head;
    Elf64_Shdr s;
    if (h->e_shnum == 0) {
        complain("%s: has no section headers, so its symbols cannot be read",
                 f->path);
        return 0;
    }
    if (h->e_shentsize != sizeof s ||
        !inside(f, h->e_shoff, h->e_shnum, sizeof s))
        return damaged(f, "section headers");
    for (unsigned k = 0; k < h->e_shnum; ++k) {
        read_section(f, k, &s);
        if (s.sh_type == SHT_DYNSYM && !read_table(f, k, &s, &f->dynsym))
            return 0;
        if (s.sh_type == SHT_SYMTAB && !read_table(f, k, &s, &f->symtab))
            return 0;
    }
    return 1;
}

int
elf_open(const char *path, elf_file **elf)
{
    elf_file *f = calloc(1, sizeof *f);
    *elf = NULL;
    if (f == NULL) {
        complain("no memory left");
        return 0;
    }
    f->path = path;
    if (!map(f) || !check_head(f) || !read_segments(f) || !read_sections(f)) {
        elf_close(f);
        return 0;
    }
    *elf = f;
    return 1;
}

void
elf_close(elf_file *elf)
{
    if (elf == NULL)
        return;
    if (elf->data != NULL)
        munmap(elf->data, (size_t)elf->size);
    free(elf);
}

const char *
elf_interpreter(const elf_file *elf)
{
    return elf->interpreter;
}

int
elf_is_static(const elf_file *elf)
{
    return elf->interpreter == NULL && !elf_is_library(elf);
}

int
elf_is_library(const elf_file *elf)
{
    return elf->interpreter == NULL && elf->dynamic && !elf->pie;
}

int
elf_is_symbolic(const elf_file *elf)
{
    return elf->symbolic;
}

int
elf_has_symtab(const elf_file *elf)
{
    return elf->symtab.n > 0;
}

/* ------------------------------------------------ symbols */

/* Find the next symbol of a name, from number k on; n if there is none. */
static uint64_t
next_symbol(const elf_file *f, const symbol_table *t, const char *name,
            uint64_t k, Elf64_Sym *s)
{
    for (; k < t->n; ++k) {
        take(f, t->offset + k * sizeof *s, s, sizeof *s);
        if (s->st_name < t->nstrings &&
            strcmp((const char *)f->data + t->strings + s->st_name, name) == 0)
            return k;
    }
    return t->n;
}

int
elf_exports(const elf_file *elf, const char *name)
{
    const symbol_table *t = &elf->dynsym;
    Elf64_Sym s;
    for (uint64_t k = 0; (k = next_symbol(elf, t, name, k, &s)) < t->n; ++k) {
        const int bind = ELF64_ST_BIND(s.st_info);
        const int sight = ELF64_ST_VISIBILITY(s.st_other);
        if (s.st_shndx != SHN_UNDEF &&
            (bind == STB_GLOBAL || bind == STB_WEAK) &&
            (sight == STV_DEFAULT || sight == STV_PROTECTED))
            return 1;
    }
    return 0;
}

int
elf_defines(const elf_file *elf, const char *name)
{
    const symbol_table *t = &elf->symtab;
    Elf64_Sym s;
    for (uint64_t k = 0; (k = next_symbol(elf, t, name, k, &s)) < t->n; ++k)
        if (s.st_shndx != SHN_UNDEF)
            return 1;
    return elf_exports(elf, name);
}

/* Whether a section of relocations names a dynamic symbol.  Both kinds of
 * relocation begin with r_offset and r_info. */
static int
relocates(const elf_file *f, const Elf64_Shdr *s, uint64_t symbol)
{
    const uint64_t size =
        s->sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    const uint64_t n = s->sh_size / size;
    Elf64_Rel r;
    if (!inside(f, s->sh_offset, n, size))
        return 0;
    for (uint64_t k = 0; k < n; ++k) {
        take(f, s->sh_offset + k * size, &r, sizeof r);
        if (ELF64_R_SYM(r.r_info) == symbol)
            return 1;
    }
    return 0;
}

static int
is_relocated(const elf_file *f, uint64_t symbol)
{
    Elf64_Shdr s;
    for (unsigned k = 0; read_section(f, k, &s); ++k)
        if ((s.sh_type == SHT_RELA || s.sh_type == SHT_REL) &&
            s.sh_link == f->dynsym.section && relocates(f, &s, symbol))
            return 1;
    return 0;
}

int
elf_refers(const elf_file *elf, const char *name)
{
    const symbol_table *t = &elf->dynsym;
    Elf64_Sym s;
    for (uint64_t k = 0; (k = next_symbol(elf, t, name, k, &s)) < t->n; ++k)
        if (is_relocated(elf, k))
            return 1;
    return 0;
}
