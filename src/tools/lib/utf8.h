/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/utf8.h
 * Text of file names and hosts, which may hold any bytes, in files that must
 * be UTF-8. */
#ifndef HESCA_TOOLS_LIB_UTF8_H
#define HESCA_TOOLS_LIB_UTF8_H

/** The replacement of bytes that are not text: U+FFFD. */
#define UTF8_REPLACEMENT "\xEF\xBF\xBD"

/** Bytes of the UTF-8 character at s, which may be the end of the string; 0 if
 * there is none.  Source: RFC 3629, section 4. */
static inline int
utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
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

#endif
