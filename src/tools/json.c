#include "tools/json.h"
#include <stdio.h>

/* Bytes of the UTF-8 character at s, 0 if there is none.
 * Source: RFC 3629, section 4. */
static int
utf8_length(const unsigned char *s)
{
    const unsigned char c = s[0];
    if (c < 0x80)
        return 1;
    const int n = c >= 0xC2 && c < 0xE0   ? 2
                  : c >= 0xE0 && c < 0xF0 ? 3
                  : c >= 0xF0 && c < 0xF5 ? 4
                                          : 0;
    for (int k = 1; k < n; ++k)
        if ((s[k] & 0xC0) != 0x80)
            return 0;
    if ((c == 0xE0 && s[1] < 0xA0) || (c == 0xED && s[1] > 0x9F) ||
        (c == 0xF0 && s[1] < 0x90) || (c == 0xF4 && s[1] > 0x8F))
        return 0;
    return n;
}

void
json_string(const char *s)
{
    const unsigned char *p = (const unsigned char *)s;
    if (s == NULL) {
        printf("null");
        return;
    }
    putchar('"');
    while (*p != '\0') {
        const int n = utf8_length(p);
        if (n == 0)
            printf("\\ufffd");
        else if (*p == '"' || *p == '\\')
            printf("\\%c", *p);
        else if (*p < 0x20)
            printf("\\u%04x", *p);
        else
            printf("%.*s", n, (const char *)p);
        p += n > 0 ? n : 1;
    }
    putchar('"');
}
