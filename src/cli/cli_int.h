/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the command. */
#ifndef WR_CLI_CLI_INT_H
#define WR_CLI_CLI_INT_H

#include <stdio.h>
#include <stdlib.h>

#include "engine/engine.h"

int wri_cli_test_serve(void); /* the process's exit code */

#endif
