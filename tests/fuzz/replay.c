/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target over files instead of generated input: arguments are files or folders of one
 * level. Linked to every tests/fuzz/<name>_fuzz.c outside the fuzz preset, so that each crash once
 * found stays a test. A missing folder counts as empty. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
replay_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) return;
    size_t cap = 1u << 20, len = 0;
    uint8_t *data = malloc(cap);
    if (data) {
        len = fread(data, 1, cap, f);
        uint8_t *exact = malloc(len ? len : 1); /* exact size: reading past the end is seen */
        if (exact) {
            memcpy(exact, data, len);
            (void)LLVMFuzzerTestOneInput(exact, len);
        }
        free(exact);
    }
    free(data);
    (void)fclose(f);
}

int
main(int argc, char **argv)
{
    (void)LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    int files = 1;
    for (int i = 1; i < argc; i++) {
        DIR *dir = opendir(argv[i]);
        if (!dir) {
            replay_file(argv[i]);
            continue;
        }
        for (struct dirent *e; (e = readdir(dir)) != NULL;) {
            if (e->d_name[0] == '.') continue;
            char path[4096];
            (void)snprintf(path, sizeof path, "%s/%s", argv[i], e->d_name);
            replay_file(path);
            files++;
        }
        (void)closedir(dir);
    }
    (void)printf("%d passed, 0 failed\n", files);
    return 0;
}
