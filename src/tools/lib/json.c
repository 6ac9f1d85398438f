/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/lib/json.h"
#include "tools/lib/utf8.h"
#include <stdio.h>

void
json_string(const char *s)
{
    if (s == NULL) {
        printf("null");
        return;
    }
    putchar('"');
    while (*s != '\0') {
        const int n = utf8_length(s);
        if (n == 0)
            printf("\\ufffd");
        else if (*s == '"' || *s == '\\')
            printf("\\%c", *s);
        else if ((unsigned char)*s < 0x20)
            printf("\\u%04x", (unsigned)*s);
        else
            printf("%.*s", n, s);
        s += n > 0 ? n : 1;
    }
    putchar('"');
}
