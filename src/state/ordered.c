/* SPDX-License-Identifier: Apache-2.0 */
/* Ordered state: a treap per slot of the parent, its nodes behind the records. The priority of a
 * node is a hash of its number, so it needs no room; the first 8 key bytes stand in the head as a
 * big-endian number, so most comparisons touch no key. The anchor knows the least and the greatest:
 * what is kept by time is put at one end and taken from the other, without a way through the tree.
 */
#include "state/state_int.h"

static uint64_t
prefix_of(const uint8_t *key, uint32_t len)
{
    return __builtin_bswap64(wri_pad8(key, WR_MIN(len, 8u)));
}

static int
compare(const uint8_t *key, uint32_t len, uint64_t prefix, const wri_head *h)
{
    if (prefix != h->hash) return prefix < h->hash ? -1 : 1;
    const uint32_t n = WR_MIN(len, h->key_len);
    const int c = n > 8 ? memcmp(key + 8, wri_key_of(h) + 8, n - 8) : 0;
    return c ? c : (len > h->key_len) - (len < h->key_len);
}

static uint64_t
priority(uint32_t entry)
{
    return wr_hash_u64((uint64_t)entry + 1);
}

static wri_node *
node(const wri_table *t, uint32_t entry)
{
    return wri_node_of(wri_head_of(t, entry));
}

static uint32_t
root_of(const wri_table *t, uint32_t slot)
{
    const wri_anchor *a = wri_anchor_find(t, slot);
    return a && a->count ? a->top - 1 : WRI_NIL;
}

/* Put `now` where `old` hangs. */
static void
replace(wri_table *t, wri_anchor *a, uint32_t old, uint32_t now)
{
    const uint32_t up = node(t, old)->up;
    if (up == WRI_NIL)
        a->top = now + 1;
    else if (node(t, up)->left == old)
        node(t, up)->left = now;
    else
        node(t, up)->right = now;
    if (now != WRI_NIL) node(t, now)->up = up;
}

/* Rotate `child` above its parent. */
static void
rotate_up(wri_table *t, wri_anchor *a, uint32_t child)
{
    wri_node *c = node(t, child);
    const uint32_t parent = c->up;
    wri_node *p = node(t, parent);
    replace(t, a, parent, child);
    if (p->left == child) {
        p->left = c->right;
        if (c->right != WRI_NIL) node(t, c->right)->up = parent;
        c->right = parent;
    } else {
        p->right = c->left;
        if (c->left != WRI_NIL) node(t, c->left)->up = parent;
        c->left = parent;
    }
    p->up = child;
}

/* Is the search over at this end of the order? As descend. */
static bool
at_end(const wri_table *t, uint32_t end, int outside, const uint8_t *key, uint32_t len,
       uint64_t prefix, uint32_t *found, uint32_t *last, int *side)
{
    const int c = compare(key, len, prefix, wri_head_of(t, end));
    *found = c == 0 ? end : WRI_NIL;
    *last = end;
    *side = outside;
    return c == 0 || (c > 0) == (outside > 0);
}

/* The entry with this key, or WRI_NIL; *last is where the search ended, *side its last turn. */
static uint32_t
descend(const wri_table *t, uint32_t slot, const uint8_t *key, uint32_t len, uint32_t *last,
        int *side)
{
    const wri_anchor *a = wri_anchor_find(t, slot);
    const uint64_t prefix = prefix_of(key, len);
    uint32_t found;
    *last = WRI_NIL;
    *side = 0;
    if (!a || !a->count) return WRI_NIL;
    if (at_end(t, a->last - 1, 1, key, len, prefix, &found, last, side)) return found;
    if (at_end(t, a->first - 1, -1, key, len, prefix, &found, last, side)) return found;
    for (uint32_t at = a->top - 1; at != WRI_NIL;) {
        wri_head *h = wri_head_of(t, at);
        const int c = compare(key, len, prefix, h);
        if (c == 0) return at;
        *last = at;
        *side = c;
        at = c < 0 ? wri_node_of(h)->left : wri_node_of(h)->right;
    }
    return WRI_NIL;
}

/* The next entry in order (forward) or the one before; WRI_NIL at the end. */
static uint32_t
step(const wri_table *t, uint32_t entry, bool forward)
{
    wri_node *n = node(t, entry);
    uint32_t at = forward ? n->right : n->left;
    if (at != WRI_NIL) {
        for (;;) {
            const uint32_t down = forward ? node(t, at)->left : node(t, at)->right;
            if (down == WRI_NIL) return at;
            at = down;
        }
    }
    for (uint32_t child = entry;;) {
        const uint32_t up = node(t, child)->up;
        if (up == WRI_NIL) return WRI_NIL;
        if (child == (forward ? node(t, up)->left : node(t, up)->right)) return up;
        child = up;
    }
}

void
wri_ord_drop_entry(wri_table *t, uint32_t entry)
{
    wri_node *n = node(t, entry);
    wri_anchor *a = wri_anchor_find(t, n->slot);
    if (a->first == entry + 1) a->first = step(t, entry, true) + 1;
    if (a->last == entry + 1) a->last = step(t, entry, false) + 1;
    while (n->left != WRI_NIL && n->right != WRI_NIL)
        rotate_up(t, a, priority(n->left) > priority(n->right) ? n->left : n->right);
    replace(t, a, entry, n->left != WRI_NIL ? n->left : n->right);
    a->count--;
    wri_entry_free(t, entry);
}

static wr_status
insert(wr_ctx *ctx, wri_table *t, uint32_t slot, const uint8_t *key, uint32_t len, uint32_t under,
       int side, uint32_t *out)
{
    wri_anchor *a;
    WR_TRY(wri_anchor_make(ctx, t, slot, &a));
    uint32_t entry;
    WR_TRY(wri_entry_add(ctx, t, prefix_of(key, len), key, len, &entry));
    *node(t, entry) = (wri_node){.slot = slot, .left = WRI_NIL, .right = WRI_NIL, .up = under};
    if (under == WRI_NIL)
        a->top = a->first = a->last = entry + 1;
    else if (side < 0)
        node(t, under)->left = entry;
    else
        node(t, under)->right = entry;
    if (side < 0 && a->first == under + 1) a->first = entry + 1;
    if (side > 0 && a->last == under + 1) a->last = entry + 1;
    a->count++;
    while (node(t, entry)->up != WRI_NIL && priority(entry) > priority(node(t, entry)->up))
        rotate_up(t, a, entry);
    *out = entry;
    return WR_OK;
}

wr_status
wri_ord_put(wr_ctx *ctx, wr_state_table *table, uint32_t slot, const uint8_t *key, uint32_t len,
            uint8_t **rec_out, bool *fresh)
{
    wri_table *t = wri_table_of(table);
    uint32_t last;
    int side;
    uint32_t entry = descend(t, slot, key, len, &last, &side);
    if (entry != WRI_NIL && wri_expired(t, entry)) {
        wri_ord_drop_entry(t, entry);
        entry = descend(t, slot, key, len, &last, &side);
    }
    if (fresh) *fresh = entry == WRI_NIL;
    if (entry == WRI_NIL)
        WR_TRY(insert(ctx, t, slot, key, len, last, side, &entry));
    else
        wri_touch(t, entry);
    *rec_out = wr_state_rec(&t->base, entry);
    return WR_OK;
}

uint8_t *
wri_ord_get(wr_state_table *table, uint32_t slot, const uint8_t *key, uint32_t len)
{
    const wri_table *t = wri_table_of(table);
    uint32_t last;
    int side;
    const uint32_t entry = descend(t, slot, key, len, &last, &side);
    return entry == WRI_NIL || wri_expired(t, entry) ? NULL : wr_state_rec(&t->base, entry);
}

void
wri_ord_remove(wr_state_table *table, uint32_t slot, const uint8_t *key, uint32_t len)
{
    wri_table *t = wri_table_of(table);
    uint32_t last;
    int side;
    const uint32_t entry = descend(t, slot, key, len, &last, &side);
    if (entry != WRI_NIL) wri_ord_drop_entry(t, entry);
}

uint32_t
wri_ord_count(const wr_state_table *table, uint32_t slot)
{
    const wri_anchor *a = wri_anchor_find(wri_table_of(table), slot);
    return a ? a->count : 0;
}

static bool
arrive(const wri_table *t, wr_state_iter *it, uint32_t entry, bool forward)
{
    while (entry != WRI_NIL && wri_expired(t, entry)) entry = step(t, entry, forward);
    if (entry == WRI_NIL) return false;
    const wri_head *h = wri_head_of(t, entry);
    it->pos[0] = entry;
    it->key = wri_key_of(h);
    it->key_len = h->key_len;
    it->rec = wr_state_rec(&t->base, entry);
    return true;
}

bool
wri_ord_seek(wr_state_table *table, uint32_t slot, const uint8_t *key, uint32_t len,
             wr_state_iter *it)
{
    const wri_table *t = wri_table_of(table);
    const uint64_t prefix = prefix_of(key, len);
    uint32_t found = WRI_NIL;
    it->table = table;
    it->slot = slot;
    const wri_anchor *a = wri_anchor_find(t, slot);
    if (!a || !a->count) return false;
    if (len == 0 || compare(key, len, prefix, wri_head_of(t, a->first - 1)) <= 0)
        return arrive(t, it, a->first - 1, true);
    if (compare(key, len, prefix, wri_head_of(t, a->last - 1)) > 0) return false;
    for (uint32_t at = a->top - 1; at != WRI_NIL;) {
        wri_head *h = wri_head_of(t, at);
        const bool here = compare(key, len, prefix, h) <= 0;
        if (here) found = at;
        at = here ? wri_node_of(h)->left : wri_node_of(h)->right;
    }
    return arrive(t, it, found, true);
}

/* The last entry with key <= `key`, or < `key`. */
static bool
seek_last(wr_state_table *table, uint32_t slot, const uint8_t *key, uint32_t len, bool before,
          wr_state_iter *it)
{
    const wri_table *t = wri_table_of(table);
    const uint64_t prefix = key ? prefix_of(key, len) : 0;
    uint32_t found = WRI_NIL;
    it->table = table;
    it->slot = slot;
    const wri_anchor *a = wri_anchor_find(t, slot);
    if (!a || !a->count) return false;
    if (!key || compare(key, len, prefix, wri_head_of(t, a->last - 1)) >= before)
        return arrive(t, it, a->last - 1, false);
    if (compare(key, len, prefix, wri_head_of(t, a->first - 1)) < before) return false;
    for (uint32_t at = a->top - 1; at != WRI_NIL;) {
        wri_head *h = wri_head_of(t, at);
        const bool here = compare(key, len, prefix, h) >= before;
        if (here) found = at;
        at = here ? wri_node_of(h)->right : wri_node_of(h)->left;
    }
    return arrive(t, it, found, false);
}

bool
wri_ord_seek_last(wr_state_table *table, uint32_t slot, const uint8_t *key, uint32_t len,
                  wr_state_iter *it)
{
    return seek_last(table, slot, key, len, false, it);
}

bool
wri_ord_seek_before(wr_state_table *table, uint32_t slot, const uint8_t *key, uint32_t len,
                    wr_state_iter *it)
{
    return seek_last(table, slot, key, len, true, it);
}

bool
wri_ord_next(wr_state_iter *it)
{
    const wri_table *t = wri_table_of(it->table);
    return arrive(t, it, step(t, (uint32_t)it->pos[0], true), true);
}

bool
wri_ord_prev(wr_state_iter *it)
{
    const wri_table *t = wri_table_of(it->table);
    return arrive(t, it, step(t, (uint32_t)it->pos[0], false), false);
}

/* Leaves first, so that no links need mending. */
void
wri_ord_clear(wr_state_table *table, uint32_t slot)
{
    wri_table *t = wri_table_of(table);
    wri_anchor *a = wri_anchor_find(t, slot);
    uint32_t at = root_of(t, slot);
    while (at != WRI_NIL) {
        wri_node *n = node(t, at);
        if (n->left != WRI_NIL || n->right != WRI_NIL) {
            at = n->left != WRI_NIL ? n->left : n->right;
            continue;
        }
        const uint32_t up = n->up;
        if (up != WRI_NIL) {
            wri_node *p = node(t, up);
            if (p->left == at)
                p->left = WRI_NIL;
            else
                p->right = WRI_NIL;
        }
        wri_entry_free(t, at);
        at = up;
    }
    if (a) *a = (wri_anchor){0};
}

wr_status
wri_ord_restore(wr_ctx *ctx, wri_table *t, uint32_t slot, const uint8_t *key, uint32_t len,
                uint32_t *entry, bool *twice)
{
    uint32_t last;
    int side;
    *twice = descend(t, slot, key, len, &last, &side) != WRI_NIL;
    return *twice ? WR_OK : insert(ctx, t, slot, key, len, last, side, entry);
}

uint32_t
wri_ord_find(const wri_table *t, uint32_t slot, const uint8_t *key, uint32_t len)
{
    uint32_t last;
    int side;
    return descend(t, slot, key, len, &last, &side);
}
