/* SPDX-License-Identifier: Apache-2.0 */
/* Java's regular expressions (java.util.regex, as of Java 17) in PCRE2's syntax.
 *
 * The translation parses the whole pattern, so that what Java refuses is refused, and writes it so
 * that no PCRE2 option but DOTALL and UTF is needed: flags are resolved here, '.', '^', '$', \b and
 * the like are spelled out with Java's line ends and word characters, ASCII case folding becomes
 * [xX]. Stateless. */
#include "expr/regex_java_int.h"

#define EOL         "[\\n\\r\\x{85}\\x{2028}\\x{2029}]"
#define NOT_IN_CRLF "(?!(?<=\\r)\\n)"
#define WORD        "[\\p{L}\\p{Nd}_]"

static wri_java_status alternatives(wri_jre *j, bool nested);

static wri_java_status
unsupported(wri_jre *j, const char *why)
{
    j->why = why;
    return WRI_JAVA_UNSUPPORTED;
}

/* ---- atoms ----------------------------------------------------------------------------------- */

static void
put_char(wri_jre *j, uint32_t cp)
{
    bool letter = (cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z');
    if ((j->flags & WRI_JF_I) && (j->flags & WRI_JF_U)) {
        wr_text_puts(j->out, "(?i:");
        wri_jre_put_literal(j->out, cp);
        wr_text_putc(j->out, ')');
    } else if ((j->flags & WRI_JF_I) && letter) {
        wr_text_printf(j->out, "[%c%c]", (int)cp, (int)(cp ^ 32));
    } else {
        wri_jre_put_literal(j->out, cp);
    }
}

static void
put_dot(wri_jre *j)
{
    if (j->flags & WRI_JF_S)
        wr_text_putc(j->out, '.');
    else if (j->flags & WRI_JF_D)
        wr_text_puts(j->out, "[^\\n]");
    else
        wr_text_puts(j->out, "[^\\n\\r\\x{85}\\x{2028}\\x{2029}]");
}

static void
put_caret(wri_jre *j)
{
    if (!(j->flags & WRI_JF_M))
        wr_text_puts(j->out, "\\A");
    else if (j->flags & WRI_JF_D)
        wr_text_puts(j->out, "(?:\\A|(?<=\\n)(?!\\z))");
    else
        wr_text_puts(j->out, "(?:\\A|(?<=[\\n\\x{85}\\x{2028}\\x{2029}])(?!\\z)|"
                             "(?<=\\r)(?!\\n)(?!\\z))");
}

static void
put_dollar(wri_jre *j, bool multiline)
{
    bool unix_lines = (j->flags & WRI_JF_D) != 0;
    if (multiline)
        wr_text_puts(j->out, unix_lines ? "(?:(?=\\n|\\z))" : "(?:(?=" EOL "|\\z)" NOT_IN_CRLF ")");
    else
        wr_text_puts(j->out, unix_lines ? "(?:(?=\\n?\\z))"
                                        : "(?:(?=(?:\\r\\n|" EOL ")?\\z)" NOT_IN_CRLF ")");
}

static void
put_boundary(wri_jre *j, bool negate)
{
    if (j->flags & WRI_JF_UCC) {
        wr_text_puts(j->out, negate ? "(?:(?<=[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}])(?=[\\p{"
                                      "Alphabetic}\\p{M}\\p{Nd}\\p{Pc}])|(?<![\\p{Alphabetic}\\p{M}"
                                      "\\p{Nd}\\p{Pc}])(?![\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}]))"
                                    : "(?:(?<=[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}])(?![\\p{"
                                      "Alphabetic}\\p{M}\\p{Nd}\\p{Pc}])|(?<![\\p{Alphabetic}\\p{M}"
                                      "\\p{Nd}\\p{Pc}])(?=[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}]))");
        return;
    }
    wr_text_puts(j->out, negate ? "(?:(?<=" WORD ")(?=" WORD ")|(?<!" WORD ")(?!" WORD "))"
                                : "(?:(?<=" WORD ")(?!" WORD ")|(?<!" WORD ")(?=" WORD "))");
}

static void
put_backref(wri_jre *j, uint32_t n)
{
    if (n > j->group_total)
        wr_text_puts(j->out, "(?!)"); /* never set: never matches */
    else if (j->flags & WRI_JF_I)
        wr_text_printf(j->out, "(?i:\\g{%u})", n);
    else
        wr_text_printf(j->out, "\\g{%u}", n);
}

/* \1 ...: more digits belong to it while such a group has been opened. */
static void
numbered_backref(wri_jre *j)
{
    uint32_t n = (uint32_t)(*j->p++ - '0');
    while (j->p < j->end && *j->p >= '0' && *j->p <= '9') {
        uint32_t next = n * 10 + (uint32_t)(*j->p - '0');
        if (next > j->groups) break;
        n = next;
        j->p++;
    }
    put_backref(j, n);
}

static bool
group_name(wri_jre *j, char close, wr_str *name)
{
    const char *start = j->p;
    while (j->p < j->end && *j->p != close) {
        char c = *j->p;
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !(j->p > start && c >= '0' && c <= '9')) return false;
        j->p++;
    }
    if (j->p == j->end || j->p == start) return false;
    *name = (wr_str){start, (size_t)(j->p - start)};
    j->p++;
    return true;
}

static wri_java_status
named_backref(wri_jre *j) /* after \k */
{
    wr_str name;
    if (j->p == j->end || *j->p != '<') return WRI_JAVA_BAD;
    j->p++;
    if (!group_name(j, '>', &name)) return WRI_JAVA_BAD;
    for (uint32_t i = 0; i < j->name_count; i++) {
        if (!wr_str_eq(j->names[i], name)) continue;
        wr_text_printf(j->out, j->flags & WRI_JF_I ? "(?i:\\k<%.*s>)" : "\\k<%.*s>",
                       WR_STR_ARG(name));
        return WRI_JAVA_OK;
    }
    return WRI_JAVA_BAD;
}

static void
quoted(wri_jre *j) /* after \Q, up to \E: all but the last character, which may be quantified */
{
    const char *close = j->end;
    for (const char *q = j->p; q + 1 < j->end; q++)
        if (q[0] == '\\' && q[1] == 'E') {
            close = q;
            break;
        }
    while (j->p < close) put_char(j, wr_utf8_next(&j->p, close));
    j->p = close < j->end ? close + 2 : close;
}

static wri_java_status
escape_other(wri_jre *j) /* at the letter */
{
    char c = *j->p;
    if (c >= '1' && c <= '9') {
        numbered_backref(j);
        return WRI_JAVA_OK;
    }
    j->p++;
    switch (c) {
    case 'b':
        if (j->p < j->end && *j->p == '{') return unsupported(j, "\\b{g}");
        put_boundary(j, false);
        return WRI_JAVA_OK;
    case 'B':
        put_boundary(j, true);
        return WRI_JAVA_OK;
    case 'A':
        wr_text_puts(j->out, "\\A");
        return WRI_JAVA_OK;
    case 'G':
        wr_text_puts(j->out, "\\G");
        return WRI_JAVA_OK;
    case 'z':
        wr_text_puts(j->out, "\\z");
        return WRI_JAVA_OK;
    case 'Z':
        put_dollar(j, false);
        return WRI_JAVA_OK;
    case 'R':
        wr_text_puts(j->out, "(?:\\r\\n|[\\n\\x0b\\f\\r\\x{85}\\x{2028}\\x{2029}])");
        return WRI_JAVA_OK;
    case 'X':
        wr_text_puts(j->out, "\\X");
        return WRI_JAVA_OK;
    case 'k':
        return named_backref(j);
    case 'Q':
        quoted(j);
        return WRI_JAVA_OK;
    case 'E':
        return WRI_JAVA_OK;
    case 'N':
        return unsupported(j, "\\N{name}");
    default:
        return WRI_JAVA_BAD;
    }
}

static wri_java_status
escape(wri_jre *j)
{
    wri_jesc kind = WRI_JESC_CHAR;
    uint32_t cp = 0;
    bool complex = false;
    wr_text items;
    wr_text_init(&items, j->out->arena);
    wri_java_status st = wri_jre_escape(j, &kind, &cp, &items, &complex);
    if (st != WRI_JAVA_OK) return st;
    if (kind == WRI_JESC_OTHER) return escape_other(j);
    if (kind == WRI_JESC_CHAR) {
        put_char(j, cp);
        return WRI_JAVA_OK;
    }
    wr_str s = wr_text_str(&items);
    wr_text_printf(j->out, complex ? "%.*s" : "[%.*s]", WR_STR_ARG(s));
    return WRI_JAVA_OK;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static bool
flag_of(char c, uint32_t *out)
{
    static const char letters[] = "iusmdxU";
    static const uint32_t bits[] = {WRI_JF_I, WRI_JF_U, WRI_JF_S,  WRI_JF_M,
                                    WRI_JF_D, WRI_JF_X, WRI_JF_UCC};
    const char *at = c ? strchr(letters, c) : NULL;
    if (!at) return false;
    *out = bits[at - letters];
    if (c == 'U') *out |= WRI_JF_U;
    return true;
}

/* After "(?": flags up to ) or :. *scoped = a group follows. */
static wri_java_status
inline_flags(wri_jre *j, bool *scoped)
{
    bool on = true;
    for (; j->p < j->end; j->p++) {
        uint32_t bit = 0;
        char c = *j->p;
        if (c == ')' || c == ':') {
            *scoped = c == ':';
            j->p++;
            return WRI_JAVA_OK;
        }
        if (c == '-' && on)
            on = false;
        else if (!flag_of(c, &bit))
            return WRI_JAVA_BAD;
        else if (on)
            j->flags |= bit;
        else
            j->flags &= ~bit;
    }
    return WRI_JAVA_BAD;
}

static wri_java_status
group_body(wri_jre *j, const char *open)
{
    wr_text_puts(j->out, open);
    wri_java_status st = alternatives(j, true);
    if (st != WRI_JAVA_OK) return st;
    if (j->p == j->end || *j->p != ')') return WRI_JAVA_BAD;
    j->p++;
    wr_text_putc(j->out, ')');
    return WRI_JAVA_OK;
}

static wri_java_status
named_group(wri_jre *j)
{
    wr_str name;
    if (!group_name(j, '>', &name)) return WRI_JAVA_BAD;
    for (uint32_t i = 0; i < j->name_count; i++)
        if (wr_str_eq(j->names[i], name)) return WRI_JAVA_BAD;
    if (j->name_count == WR_COUNT(j->names)) return unsupported(j, "more than 32 named groups");
    if (name.len > 32) return unsupported(j, "longer group names");
    j->names[j->name_count++] = name;
    j->groups++;
    wr_text_printf(j->out, "(?<%.*s>", WR_STR_ARG(name));
    return group_body(j, "");
}

/* After '('. *quantifiable = false for bare flags. */
static wri_java_status
group(wri_jre *j, bool *quantifiable)
{
    if (j->p == j->end || *j->p != '?') {
        j->groups++;
        return group_body(j, "(");
    }
    j->p++;
    if (j->p == j->end) return WRI_JAVA_BAD;
    char c = *j->p, d = j->end - j->p > 1 ? j->p[1] : 0;
    if (c == '<' && (d == '=' || d == '!')) {
        j->p += 2;
        return group_body(j, d == '=' ? "(?<=" : "(?<!");
    }
    switch (c) {
    case ':':
        j->p++;
        return group_body(j, "(?:");
    case '=':
        j->p++;
        return group_body(j, "(?=");
    case '!':
        j->p++;
        return group_body(j, "(?!");
    case '>':
        j->p++;
        return group_body(j, "(?>");
    case '<':
        j->p++;
        return named_group(j);
    default:
        break;
    }
    bool scoped = false;
    uint32_t saved = j->flags;
    wri_java_status st = inline_flags(j, &scoped);
    if (st != WRI_JAVA_OK) return st;
    if (!scoped) { /* the flags hold to the end of the enclosing group */
        *quantifiable = false;
        return WRI_JAVA_OK;
    }
    st = group_body(j, "(?:");
    j->flags = saved;
    return st;
}

/* ---- quantifiers ----------------------------------------------------------------------------- */

static bool
number(wri_jre *j, uint32_t *out)
{
    const char *start = j->p;
    uint64_t n = 0;
    while (j->p < j->end && *j->p >= '0' && *j->p <= '9') {
        n = n * 10 + (uint64_t)(*j->p++ - '0');
        if (n > 0x7fffffff) return false;
    }
    *out = (uint32_t)n;
    return j->p > start;
}

static wri_java_status
braces(wri_jre *j) /* after { */
{
    uint32_t lo = 0, hi = 0;
    if (!number(j, &lo)) return WRI_JAVA_BAD;
    bool range = j->p < j->end && *j->p == ',', open = false;
    hi = lo;
    if (range) {
        j->p++;
        open = j->p < j->end && *j->p == '}';
        if (!open && !number(j, &hi)) return WRI_JAVA_BAD;
    }
    if (j->p == j->end || *j->p != '}' || (!open && hi < lo)) return WRI_JAVA_BAD;
    j->p++;
    if (lo > 65535 || hi > 65535) return unsupported(j, "repetition counts above 65535");
    if (open)
        wr_text_printf(j->out, "{%u,}", lo);
    else
        wr_text_printf(j->out, "{%u,%u}", lo, hi);
    return WRI_JAVA_OK;
}

static wri_java_status
quantifier(wri_jre *j)
{
    wri_jre_skip_comments(j);
    if (j->p == j->end || !strchr("?*+{", *j->p) || !*j->p) return WRI_JAVA_OK;
    char c = *j->p++;
    if (c == '{') {
        wri_java_status st = braces(j);
        if (st != WRI_JAVA_OK) return st;
    } else {
        wr_text_putc(j->out, c);
    }
    if (j->p < j->end && (*j->p == '?' || *j->p == '+')) wr_text_putc(j->out, *j->p++);
    return WRI_JAVA_OK;
}

static wri_java_status
atom(wri_jre *j, bool *quantifiable)
{
    *quantifiable = true;
    const char *start = j->p;
    uint32_t c = wr_utf8_next(&j->p, j->end);
    switch (c) {
    case '(':
        return group(j, quantifiable);
    case '[':
        return wri_jre_class(j);
    case '\\':
        return escape(j);
    case '.':
        put_dot(j);
        return WRI_JAVA_OK;
    case '^':
        put_caret(j);
        return WRI_JAVA_OK;
    case '$':
        put_dollar(j, (j->flags & WRI_JF_M) != 0);
        return WRI_JAVA_OK;
    case '*':
    case '+':
    case '?':
    case '{':
        j->p = start;
        return WRI_JAVA_BAD;
    default:
        put_char(j, c);
        return WRI_JAVA_OK;
    }
}

/* Up to the end, or to the ) of a group. */
static wri_java_status
alternatives(wri_jre *j, bool nested)
{
    if (++j->depth > 100) return unsupported(j, "deeper nesting");
    uint32_t saved = j->flags;
    for (;;) {
        wri_jre_skip_comments(j);
        if (j->p == j->end) break;
        if (*j->p == ')') {
            if (!nested) return WRI_JAVA_BAD;
            break;
        }
        if (*j->p == '|') {
            j->p++;
            wr_text_putc(j->out, '|');
            continue;
        }
        bool quantifiable = true;
        wri_java_status st = atom(j, &quantifiable);
        if (st == WRI_JAVA_OK && quantifiable) st = quantifier(j);
        if (st != WRI_JAVA_OK) return st;
    }
    j->flags = saved;
    j->depth--;
    return WRI_JAVA_OK;
}

/* Capturing groups of the whole pattern, for references to groups that come later. */
static uint32_t
count_groups(wr_str s)
{
    uint32_t n = 0, depth = 0;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i], d = i + 1 < s.len ? s.ptr[i + 1] : 0,
             e = i + 2 < s.len ? s.ptr[i + 2] : 0;
        if (c == '\\') {
            i++;
            while (d == 'Q' && i + 1 < s.len && !(s.ptr[i] == '\\' && s.ptr[i + 1] == 'E')) i++;
        } else if (c == '[') {
            depth++;
        } else if (c == ']' && depth > 0) {
            depth--;
        } else if (c == '(' && depth == 0) {
            char f = i + 3 < s.len ? s.ptr[i + 3] : 0;
            if (d != '?' || (e == '<' && f != '=' && f != '!')) n++;
        }
    }
    return n;
}

wri_java_status
wri_regex_translate(wr_str java, wr_text *out, const char **why)
{
    wri_jre j = {
        .p = java.ptr, .end = java.ptr + java.len, .out = out, .group_total = count_groups(java)};
    wri_java_status st = alternatives(&j, false);
    if (st == WRI_JAVA_OK && j.groups < j.group_total) st = WRI_JAVA_OK;
    *why = j.why;
    return st;
}
