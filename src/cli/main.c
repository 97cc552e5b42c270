/* SPDX-License-Identifier: Apache-2.0 */
/* The `weir` command. */
#include "cli/cli_int.h"

int
main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "test") == 0 && strcmp(argv[2], "--serve") == 0)
        return wri_cli_test_serve();
    (void)fprintf(stderr, "usage: weir test --serve\n");
    return 2;
}
