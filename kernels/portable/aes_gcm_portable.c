/* SPDX-License-Identifier: MIT */
/* GCM in plain C. */
#include "aes_core.h"
#include "aes_gcm_core.h"
#include "ghash_core.h"

#define AES_GCM_NAME(function) cmk_aes_gcm_##function##_portable
#include "aes_gcm_functions.h"
