/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_local.c -- whole jobs of local recoding, each clusterer with each privacy model: see model_job.h. */
#include "model_job.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const algorithms[] = { "mondrian", "k-members", "oka", "ika",
                                              "bha",      "kab",       NULL };

    return job_one_input(data, size, algorithms);
}
