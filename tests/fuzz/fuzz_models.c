/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_models.c -- whole jobs on the lattice, each search with each privacy model: see model_job.h. */
#include "model_job.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const algorithms[] = { "auto",     "exhaustive", "kgen", "ola",  "incognito",
                                              "samarati", "datafly",    "ga",   "tabu", "ga-tabu",
                                              "random",   "optimal",    NULL };

    return job_one_input(data, size, algorithms);
}
