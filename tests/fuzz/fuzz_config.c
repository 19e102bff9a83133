/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_config.c -- any bytes as a config file: refused in one line, or taken; never a crash, a leak or a
 * long wait. What is taken is asked the questions that a job would ask. */
#include <stdlib.h>

#include "config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    kanon_ctx     *ctx = NULL;
    kanon_config  *config = NULL;
    kanon_source  *source = NULL;
    kn_csv_options options;

    if (kanon_ctx_new(NULL, &ctx) < 0)
        return 0;
    if (kanon_config_new(ctx, &config) == KANON_OK
        && kanon_source_memory(ctx, "fuzz", bytes, count, &source) == KANON_OK) {
        if (kanon_config_read(config, source, "folder") < 0) {
            if (!kanon_ctx_message(ctx)[0] || strchr(kanon_ctx_message(ctx), '\n'))
                abort(); /* a refusal says why, in one line */
        } else {
            (void) kn_config_csv(config, &options);
            for (size_t i = 0; i < config->nattributes; i++)
                if (kn_config_attribute(config, kn_str_of(config->attributes[i].name))
                    != &config->attributes[i])
                    abort();
            (void) kn_config_missing(config, KN_STR("NA"));
        }
    }
    kanon_source_free(source);
    kanon_config_free(config);
    kanon_ctx_free(ctx);
    return 0;
}
