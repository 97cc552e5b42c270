/* SPDX-License-Identifier: Apache-2.0 */
/* Budgets, references and the return list under several threads (run with the tsan preset too).
 * links: os */
#include "mem/mem.h"
#include "os/os.h"
#include "unit/check.h"

#define THREADS 4
#define ROUNDS  2000

typedef struct shared {
    wr_memtrack *root;
    wr_free_list list;
    wr_ref ref;
    int64_t last_seen; /* atomic: how often a release was the last */
} shared;

typedef struct node {
    wr_free_node link;
    int value;
} node;

static node nodes[THREADS][ROUNDS];

typedef struct worker {
    shared *s;
    int index;
    wr_os_thread thread;
} worker;

static void
work(void *arg)
{
    worker *w = arg;
    for (int i = 0; i < ROUNDS; i++) {
        void *p = wr_mem_alloc(w->s->root, 100);
        nodes[w->index][i].value = 1;
        wr_free_list_push(&w->s->list, &nodes[w->index][i].link);
        wr_mem_free(w->s->root, p, p ? 100 : 0);
    }
    if (wr_ref_release(&w->s->ref)) (void)wr_os_add(&w->s->last_seen, 1);
}

TEST(threads_share_budgets_references_and_lists)
{
    wr_ctx ctx;
    wr_ctx_init(&ctx);
    shared s = {.root = wr_memtrack_create(NULL, "root", 250)}; /* two of four fit at once */
    CHECK_FATAL(s.root);
    wr_ref_init(&s.ref);
    worker w[THREADS];
    for (int i = 1; i < THREADS; i++) wr_ref_acquire(&s.ref);
    for (int i = 0; i < THREADS; i++) {
        w[i] = (worker){.s = &s, .index = i};
        CHECK_OK(&ctx, wr_os_thread_start(&ctx, &w[i].thread, "worker", work, &w[i]));
    }
    int sum = 0;
    for (int round = 0; round < 1000; round++)
        for (wr_free_node *n = wr_free_list_take_all(&s.list); n; n = n->next)
            sum += ((node *)n)->value;
    for (int i = 0; i < THREADS; i++) wr_os_thread_join(&w[i].thread);
    for (wr_free_node *n = wr_free_list_take_all(&s.list); n; n = n->next)
        sum += ((node *)n)->value;
    CHECK_EQ_INT(sum, THREADS * ROUNDS);
    CHECK_EQ_INT(s.last_seen, 1);
    CHECK(wr_memtrack_peak(s.root) <= 250);
    CHECK_EQ_UINT(wr_memtrack_used(s.root), 0);
    wr_memtrack_destroy(s.root);
}

CHECK_MAIN()
