/* SPDX-License-Identifier: Apache-2.0 */
/* Character classes and character escapes of java.util.regex in PCRE2's syntax. PCRE2 has no set
 * algebra, so a class becomes an expression that matches one character: a union is an alternation,
 * A&&B is (?=A)B, a negation of either is (?!A). and a plain list stays a class. */
#include "expr/regex_java_int.h"

void
wri_jre_put_literal(wr_text *t, uint32_t cp)
{
    if ((cp >= '0' && cp <= '9') || (cp >= 'A' && cp <= 'Z') || (cp >= 'a' && cp <= 'z')) {
        wr_text_putc(t, (char)cp);
    } else if (cp < 0x20 || cp == 0x7f || cp >= 0x80) {
        wr_text_printf(t, "\\x{%x}", cp);
    } else {
        wr_text_putc(t, '\\');
        wr_text_putc(t, (char)cp);
    }
}

/* ---- \p{...} --------------------------------------------------------------------------------- */

typedef struct named_set {
    const char *name, *items;
} named_set;

static const named_set posix_sets[] = {
    {"Lower", "[:lower:]"}, {"Upper", "[:upper:]"}, {"ASCII", "[:ascii:]"},
    {"Alpha", "[:alpha:]"}, {"Digit", "[:digit:]"}, {"Alnum", "[:alnum:]"},
    {"Punct", "[:punct:]"}, {"Graph", "[:graph:]"}, {"Print", "[:print:]"},
    {"Blank", "[:blank:]"}, {"Cntrl", "[:cntrl:]"}, {"XDigit", "[:xdigit:]"},
    {"Space", "[:space:]"},
};

static const named_set property_sets[] = {
    /* binary properties (Is...) and java.lang.Character's tests; several items need [...] */
    {"Alphabetic", "\\p{Alphabetic}"},
    {"Ideographic", "\\p{Ideographic}"},
    {"Letter", "\\p{L}"},
    {"Lowercase", "\\p{Lowercase}"},
    {"Uppercase", "\\p{Uppercase}"},
    {"Titlecase", "\\p{Lt}"},
    {"Punctuation", "\\p{P}"},
    {"Control", "\\p{Cc}"},
    {"White_Space", "\\p{White_Space}"},
    {"WhiteSpace", "\\p{White_Space}"},
    {"Digit", "\\p{Nd}"},
    {"Hex_Digit", "\\p{Hex_Digit}"},
    {"HexDigit", "\\p{Hex_Digit}"},
    {"Join_Control", "\\p{Join_Control}"},
    {"Noncharacter_Code_Point", "\\p{Noncharacter_Code_Point}"},
    {"Assigned", "\\P{Cn}"},
};

static const named_set java_sets[] = {
    {"javaLowerCase", "\\p{Lowercase}"},
    {"javaUpperCase", "\\p{Uppercase}"},
    {"javaTitleCase", "\\p{Lt}"},
    {"javaAlphabetic", "\\p{Alphabetic}"},
    {"javaLetter", "\\p{L}"},
    {"javaDigit", "\\p{Nd}"},
    {"javaIdeographic", "\\p{Ideographic}"},
    {"javaDefined", "\\P{Cn}"},
};

typedef struct block {
    const char *name;
    uint32_t from, to;
} block;

/* Unicode blocks by Java's names without blanks and underscores, the usual ones. */
static const block blocks[] = {
    {"basiclatin", 0x0000, 0x007f},
    {"latin-1supplement", 0x0080, 0x00ff},
    {"latinextended-a", 0x0100, 0x017f},
    {"latinextended-b", 0x0180, 0x024f},
    {"ipaextensions", 0x0250, 0x02af},
    {"combiningdiacriticalmarks", 0x0300, 0x036f},
    {"greek", 0x0370, 0x03ff},
    {"greekandcoptic", 0x0370, 0x03ff},
    {"cyrillic", 0x0400, 0x04ff},
    {"armenian", 0x0530, 0x058f},
    {"hebrew", 0x0590, 0x05ff},
    {"arabic", 0x0600, 0x06ff},
    {"devanagari", 0x0900, 0x097f},
    {"bengali", 0x0980, 0x09ff},
    {"tamil", 0x0b80, 0x0bff},
    {"thai", 0x0e00, 0x0e7f},
    {"georgian", 0x10a0, 0x10ff},
    {"hanguljamo", 0x1100, 0x11ff},
    {"latinextendedadditional", 0x1e00, 0x1eff},
    {"greekextended", 0x1f00, 0x1fff},
    {"generalpunctuation", 0x2000, 0x206f},
    {"currencysymbols", 0x20a0, 0x20cf},
    {"letterlikesymbols", 0x2100, 0x214f},
    {"arrows", 0x2190, 0x21ff},
    {"mathematicaloperators", 0x2200, 0x22ff},
    {"boxdrawing", 0x2500, 0x257f},
    {"cjksymbolsandpunctuation", 0x3000, 0x303f},
    {"hiragana", 0x3040, 0x309f},
    {"katakana", 0x30a0, 0x30ff},
    {"cjkunifiedideographs", 0x4e00, 0x9fff},
    {"hangulsyllables", 0xac00, 0xd7af},
    {"halfwidthandfullwidthforms", 0xff00, 0xffef},
    {"emoticons", 0x1f600, 0x1f64f},
};

static bool
loose_eq(wr_str a, const char *b)
{
    size_t n = strlen(b), k = 0;
    for (size_t i = 0; i < a.len; i++) {
        char c = a.ptr[i];
        if (c == '_' || c == ' ') continue;
        if (c >= 'A' && c <= 'Z') c = (char)(c + 32);
        if (k >= n || b[k] != c) return false;
        k++;
    }
    return k == n;
}

static const char *
find_set(const named_set *sets, uint32_t count, wr_str name, bool nocase)
{
    for (uint32_t i = 0; i < count; i++) {
        wr_str have = wr_str_c(sets[i].name);
        if (nocase ? wr_str_eq_nocase(have, name) : wr_str_eq(have, name)) return sets[i].items;
    }
    return NULL;
}

/* Items of a set, negated if asked: "[:x:]" -> "[:^x:]", "\p{}" <-> "\P{}". */
static void
put_items(wr_text *t, const char *items, bool negate)
{
    if (!negate) {
        wr_text_puts(t, items);
    } else if (items[0] == '[') {
        wr_text_puts(t, "[:^");
        wr_text_puts(t, items + 2);
    } else {
        wr_text_putc(t, '\\');
        wr_text_putc(t, items[1] == 'p' ? 'P' : 'p');
        wr_text_puts(t, items + 2);
    }
}

static bool
is_word(wr_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == ' '))
            return false;
    }
    return s.len > 0;
}

static bool
is_category(wr_str s)
{
    static const char known[] =
        " L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No Z Zs Zl Zp C Cc Cf Co Cs Cn "
        "P Pd Ps Pe Pc Po Pi Pf S Sm Sc Sk So ";
    char want[5] = {' ', 0, 0, 0, 0};
    if (s.len == 0 || s.len > 2) return false;
    memcpy(want + 1, s.ptr, s.len);
    want[1 + s.len] = ' ';
    return strstr(known, want) != NULL;
}

static wri_java_status
put_block(wri_jre *j, wr_str name, bool negate, wr_text *items, bool *complex)
{
    for (uint32_t i = 0; i < WR_COUNT(blocks); i++) {
        if (!loose_eq(name, blocks[i].name)) continue;
        *complex = negate;
        wr_text_printf(items, negate ? "[^\\x{%x}-\\x{%x}]" : "\\x{%x}-\\x{%x}", blocks[i].from,
                       blocks[i].to);
        return WRI_JAVA_OK;
    }
    j->why = "this Unicode block";
    return WRI_JAVA_UNSUPPORTED;
}

static bool
strip_prefix(wr_str *s, const char *prefix)
{
    size_t n = strlen(prefix);
    if (s->len < n || !wr_str_eq_nocase((wr_str){s->ptr, n}, (wr_str){prefix, n})) return false;
    s->ptr += n;
    s->len -= n;
    return true;
}

static wri_java_status
put_category(wr_str name, bool negate, wr_text *items)
{
    if (!is_category(name)) return WRI_JAVA_BAD;
    wr_text_printf(items, "\\%c{%.*s}", negate ? 'P' : 'p', WR_STR_ARG(name));
    return WRI_JAVA_OK;
}

static wri_java_status
put_script(wr_str name, bool negate, wr_text *items)
{
    if (!is_word(name)) return WRI_JAVA_BAD;
    wr_text_printf(items, "\\%c{%.*s}", negate ? 'P' : 'p', WR_STR_ARG(name));
    return WRI_JAVA_OK;
}

static wri_java_status
put_property(wri_jre *j, wr_str name, bool negate, wr_text *items, bool *complex)
{
    const char *set = find_set(posix_sets, WR_COUNT(posix_sets), name, false);
    if (set && (j->flags & WRI_JF_UCC))
        set = find_set(property_sets, WR_COUNT(property_sets), name, false);
    if (!set && wr_str_eq_c(name, "Alpha")) set = "\\p{Alphabetic}";
    if (!set && wr_str_eq_c(name, "Lower")) set = "\\p{Lowercase}";
    if (!set && wr_str_eq_c(name, "Upper")) set = "\\p{Uppercase}";
    if (!set) set = find_set(posix_sets, WR_COUNT(posix_sets), name, false);
    if (!set) set = find_set(java_sets, WR_COUNT(java_sets), name, false);
    if (set) {
        put_items(items, set, negate);
        return WRI_JAVA_OK;
    }
    if (wr_str_eq_c(name, "L1")) {
        *complex = negate;
        wr_text_puts(items, negate ? "[^\\x00-\\xff]" : "\\x00-\\xff");
        return WRI_JAVA_OK;
    }
    wr_str s = name;
    if (strip_prefix(&s, "general_category=") || strip_prefix(&s, "gc="))
        return put_category(s, negate, items);
    if (strip_prefix(&s, "script=") || strip_prefix(&s, "sc=")) return put_script(s, negate, items);
    if (strip_prefix(&s, "block=") || strip_prefix(&s, "blk="))
        return put_block(j, s, negate, items, complex);
    if (name.len > 2 && memcmp(name.ptr, "In", 2) == 0)
        return put_block(j, (wr_str){name.ptr + 2, name.len - 2}, negate, items, complex);
    if (name.len > 2 && memcmp(name.ptr, "Is", 2) == 0) {
        s = (wr_str){name.ptr + 2, name.len - 2};
        set = find_set(property_sets, WR_COUNT(property_sets), s, true);
        if (set) {
            put_items(items, set, negate);
            return WRI_JAVA_OK;
        }
        if (is_category(s)) return put_category(s, negate, items);
        return put_script(s, negate, items);
    }
    return put_category(name, negate, items);
}

/* After \p or \P: one letter, or {name}. */
static wri_java_status
property(wri_jre *j, bool negate, wr_text *items, bool *complex)
{
    if (j->p == j->end) return WRI_JAVA_BAD;
    wr_str name = {j->p, 1};
    if (*j->p == '{') {
        const char *close = memchr(j->p, '}', (size_t)(j->end - j->p));
        if (!close) return WRI_JAVA_BAD;
        name = (wr_str){j->p + 1, (size_t)(close - j->p - 1)};
        j->p = close + 1;
    } else {
        j->p++;
    }
    return put_property(j, name, negate, items, complex);
}

/* ---- characters ------------------------------------------------------------------------------ */

static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool
hex_fixed(wri_jre *j, int digits, uint32_t *cp)
{
    *cp = 0;
    for (int i = 0; i < digits; i++) {
        int d = j->p < j->end ? hex_digit(*j->p) : -1;
        if (d < 0) return false;
        *cp = *cp << 4 | (uint32_t)d;
        j->p++;
    }
    return true;
}

static bool
hex_braced(wri_jre *j, uint32_t *cp) /* after the { */
{
    *cp = 0;
    int n = 0;
    for (; j->p < j->end && hex_digit(*j->p) >= 0; j->p++, n++) {
        *cp = *cp << 4 | (uint32_t)hex_digit(*j->p);
        if (*cp > 0x10ffff) return false;
    }
    if (n == 0 || j->p == j->end || *j->p != '}') return false;
    j->p++;
    return true;
}

static bool
octal(wri_jre *j, uint32_t *cp) /* \0n \0nn \0mnn */
{
    *cp = 0;
    int n = 0;
    while (n < 3 && j->p < j->end && *j->p >= '0' && *j->p <= '7') {
        uint32_t next = *cp * 8 + (uint32_t)(*j->p - '0');
        if (next > 0377) break;
        *cp = next;
        j->p++;
        n++;
    }
    return n > 0;
}

static bool
unicode_unit(wri_jre *j, uint32_t *cp) /* \uhhhh, a surrogate pair being one character */
{
    if (!hex_fixed(j, 4, cp)) return false;
    if (*cp >= 0xd800 && *cp < 0xdc00 && j->end - j->p >= 6 && j->p[0] == '\\' && j->p[1] == 'u') {
        const char *back = j->p;
        uint32_t low = 0;
        j->p += 2;
        if (hex_fixed(j, 4, &low) && low >= 0xdc00 && low < 0xe000) {
            *cp = 0x10000 + ((*cp - 0xd800) << 10) + (low - 0xdc00);
            return true;
        }
        j->p = back;
    }
    if (*cp >= 0xd800 && *cp < 0xe000) *cp = 0xfffd; /* never in a UTF-8 string */
    return true;
}

static wri_java_status
escaped_letter(wri_jre *j, char c, uint32_t *cp)
{
    switch (c) {
    case 't':
        *cp = '\t';
        return WRI_JAVA_OK;
    case 'n':
        *cp = '\n';
        return WRI_JAVA_OK;
    case 'r':
        *cp = '\r';
        return WRI_JAVA_OK;
    case 'f':
        *cp = '\f';
        return WRI_JAVA_OK;
    case 'a':
        *cp = 7;
        return WRI_JAVA_OK;
    case 'e':
        *cp = 27;
        return WRI_JAVA_OK;
    case '0':
        return octal(j, cp) ? WRI_JAVA_OK : WRI_JAVA_BAD;
    case 'x':
        if (j->p < j->end && *j->p == '{') {
            j->p++;
            return hex_braced(j, cp) ? WRI_JAVA_OK : WRI_JAVA_BAD;
        }
        return hex_fixed(j, 2, cp) ? WRI_JAVA_OK : WRI_JAVA_BAD;
    case 'u':
        return unicode_unit(j, cp) ? WRI_JAVA_OK : WRI_JAVA_BAD;
    case 'c':
        if (j->p == j->end) return WRI_JAVA_BAD;
        *cp = (unsigned char)*j->p++ ^ 64u;
        return *cp < 0x80 ? WRI_JAVA_OK : WRI_JAVA_BAD;
    default:
        return WRI_JAVA_BAD;
    }
}

#define UNICODE_WORD "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}"

/* \d \w \s \h \v and their negations; false: another letter. */
static bool
predefined(wri_jre *j, char c, wr_text *items, bool *complex)
{
    bool wide = (j->flags & WRI_JF_UCC) != 0;
    switch (c) {
    case 'd':
        wr_text_puts(items, wide ? "\\p{Nd}" : "\\d");
        return true;
    case 'D':
        wr_text_puts(items, wide ? "\\P{Nd}" : "\\D");
        return true;
    case 's':
        wr_text_puts(items, wide ? "\\p{White_Space}" : "\\s");
        return true;
    case 'S':
        wr_text_puts(items, wide ? "\\P{White_Space}" : "\\S");
        return true;
    case 'w':
        wr_text_puts(items, wide ? UNICODE_WORD : "\\w");
        return true;
    case 'W':
        *complex = wide;
        wr_text_puts(items, wide ? "[^" UNICODE_WORD "]" : "\\W");
        return true;
    case 'h':
    case 'H':
    case 'v':
    case 'V':
        wr_text_putc(items, '\\');
        wr_text_putc(items, c);
        return true;
    default:
        return false;
    }
}

wri_java_status
wri_jre_escape(wri_jre *j, wri_jesc *kind, uint32_t *cp, wr_text *items, bool *complex)
{
    *complex = false;
    if (j->p == j->end) return WRI_JAVA_BAD;
    const char *start = j->p;
    uint32_t c = wr_utf8_next(&j->p, j->end);
    *kind = WRI_JESC_CHAR;
    *cp = c;
    if (c >= 0x80 || !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')))
        return WRI_JAVA_OK;
    if (c == 'p' || c == 'P') {
        *kind = WRI_JESC_CLASS;
        return property(j, c == 'P', items, complex);
    }
    if (predefined(j, (char)c, items, complex)) {
        *kind = WRI_JESC_CLASS;
        return WRI_JAVA_OK;
    }
    if (strchr("tnrfae0xuc", (int)c)) return escaped_letter(j, (char)c, cp);
    *kind = WRI_JESC_OTHER;
    j->p = start;
    return WRI_JAVA_OK;
}

void
wri_jre_skip_comments(wri_jre *j)
{
    while ((j->flags & WRI_JF_X) && j->p < j->end) {
        char c = *j->p;
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            j->p++;
        } else if (c == '#') {
            while (j->p < j->end && *j->p != '\n' && *j->p != '\r') j->p++;
        } else {
            return;
        }
    }
}

/* ---- classes --------------------------------------------------------------------------------- */

typedef struct union_set { /* between && signs */
    wr_text items;         /* inside [...] */
    wr_text alts;          /* |X|Y of nested and complex sets */
} union_set;

static void
put_other_case(wri_jre *j, wr_text *t, uint32_t from, uint32_t to)
{
    if (!(j->flags & WRI_JF_I) || (j->flags & WRI_JF_U))
        return; /* u: (?i:[...]) around the class */
    uint32_t a = WR_MAX(from, 'a'), b = WR_MIN(to, 'z');
    if (a <= b) wr_text_printf(t, "%c-%c", (int)(a - 32), (int)(b - 32));
    a = WR_MAX(from, 'A');
    b = WR_MIN(to, 'Z');
    if (a <= b) wr_text_printf(t, "%c-%c", (int)(a + 32), (int)(b + 32));
}

/* One character of a class at p, for a range's ends; CLASS goes to the set. */
static wri_java_status
class_atom(wri_jre *j, union_set *u, bool *is_char, uint32_t *cp)
{
    *is_char = true;
    if (*j->p != '\\') {
        *cp = wr_utf8_next(&j->p, j->end);
        return WRI_JAVA_OK;
    }
    j->p++;
    wri_jesc kind = WRI_JESC_CHAR;
    bool complex = false;
    wr_text items;
    wr_text_init(&items, u->items.arena);
    wri_java_status st = wri_jre_escape(j, &kind, cp, &items, &complex);
    if (st != WRI_JAVA_OK) return st;
    if (kind == WRI_JESC_OTHER) return WRI_JAVA_BAD;
    if (kind == WRI_JESC_CLASS) {
        *is_char = false;
        wr_str s = wr_text_str(&items);
        if (complex) wr_text_putc(&u->alts, '|');
        wr_text_put(complex ? &u->alts : &u->items, s.ptr, s.len);
    }
    return WRI_JAVA_OK;
}

static wri_java_status
class_range(wri_jre *j, union_set *u)
{
    bool is_char = false, to_char = false;
    uint32_t from = 0, to = 0;
    wri_java_status st = class_atom(j, u, &is_char, &from);
    if (st != WRI_JAVA_OK || !is_char) return st;
    wri_jre_skip_comments(j);
    to = from;
    if (j->end - j->p >= 2 && *j->p == '-' && j->p[1] != ']' && j->p[1] != '[') {
        j->p++;
        wri_jre_skip_comments(j);
        if (j->p == j->end) return WRI_JAVA_BAD;
        st = class_atom(j, u, &to_char, &to);
        if (st != WRI_JAVA_OK) return st;
        if (!to_char || to < from) return WRI_JAVA_BAD;
    }
    wri_jre_put_literal(&u->items, from);
    if (to != from) {
        wr_text_putc(&u->items, '-');
        wri_jre_put_literal(&u->items, to);
    }
    put_other_case(j, &u->items, from, to);
    return WRI_JAVA_OK;
}

/* Write the union as an expression for one character; nothing when it is empty. */
static bool
put_union(wr_text *out, const union_set *u, bool negate)
{
    wr_str items = wr_text_str(&u->items), alts = wr_text_str(&u->alts);
    if (items.len == 0 && alts.len == 0) return false;
    if (alts.len == 0) {
        wr_text_printf(out, negate ? "[^%.*s]" : "[%.*s]", WR_STR_ARG(items));
        return true;
    }
    wr_text_puts(out, negate ? "(?:(?!" : "(?:");
    if (items.len)
        wr_text_printf(out, "[%.*s]%.*s)", WR_STR_ARG(items), WR_STR_ARG(alts));
    else
        wr_text_printf(out, "%.*s)", (int)(alts.len - 1), alts.ptr + 1);
    if (negate) wr_text_puts(out, ".)");
    return true;
}

/* Items up to && or ]; *more = && follows. */
static wri_java_status
class_union(wri_jre *j, union_set *u, bool first, bool *more)
{
    *more = false;
    for (;; first = false) {
        wri_jre_skip_comments(j);
        if (j->p == j->end) return WRI_JAVA_BAD;
        wri_java_status st = WRI_JAVA_OK;
        char c = *j->p;
        if (c == ']' && !first) {
            j->p++;
            return WRI_JAVA_OK;
        }
        if (c == '&' && j->end - j->p > 1 && j->p[1] == '&') {
            while (j->end - j->p > 1 && j->p[0] == '&' && j->p[1] == '&') j->p += 2;
            *more = true;
            return WRI_JAVA_OK;
        }
        if (c == '[') {
            j->p++;
            wr_text *out = j->out;
            wr_text_putc(&u->alts, '|');
            j->out = &u->alts;
            st = wri_jre_class(j);
            j->out = out;
        } else if (c == '\\' && j->end - j->p > 1 && j->p[1] == 'Q') {
            j->p += 2;
            while (j->p < j->end && !(j->end - j->p > 1 && j->p[0] == '\\' && j->p[1] == 'E'))
                wri_jre_put_literal(&u->items, wr_utf8_next(&j->p, j->end));
            if (j->p < j->end) j->p += 2;
        } else {
            st = class_range(j, u);
        }
        if (st != WRI_JAVA_OK) return st;
    }
}

wri_java_status
wri_jre_class(wri_jre *j)
{
    if (++j->depth > 100) {
        j->why = "deeper nesting";
        return WRI_JAVA_UNSUPPORTED;
    }
    bool negate = false, more = true, first = true;
    if (j->p < j->end && *j->p == '^') {
        negate = true;
        j->p++;
    }
    wr_text whole;
    wr_text_init(&whole, j->out->arena);
    uint32_t operands = 0;
    union_set u;
    while (more) {
        wr_text_init(&u.items, j->out->arena);
        wr_text_init(&u.alts, j->out->arena);
        wri_java_status st = class_union(j, &u, first, &more);
        if (st != WRI_JAVA_OK) return st;
        first = false;
        if (!more && operands == 0) break; /* the only one */
        if (more) {
            wr_text_puts(&whole, "(?=");
            if (!put_union(&whole, &u, false)) wr_text_puts(&whole, ".");
            wr_text_puts(&whole, ")");
        } else if (!put_union(&whole, &u, false)) {
            wr_text_puts(&whole, ".");
        }
        operands++;
    }
    bool wide = (j->flags & WRI_JF_I) && (j->flags & WRI_JF_U);
    if (wide) wr_text_puts(j->out, "(?i:");
    if (operands == 0) {
        if (!put_union(j->out, &u, negate)) return WRI_JAVA_BAD;
    } else {
        wr_str s = wr_text_str(&whole);
        wr_text_printf(j->out, negate ? "(?:(?!%.*s).)" : "(?:%.*s)", WR_STR_ARG(s));
    }
    if (wide) wr_text_puts(j->out, ")");
    j->depth--;
    return j->out->failed || whole.failed || u.items.failed || u.alts.failed ? WRI_JAVA_BAD
                                                                             : WRI_JAVA_OK;
}
