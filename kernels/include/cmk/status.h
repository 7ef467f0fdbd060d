/* SPDX-License-Identifier: MIT */
/* What every function of the library that can refuse its arguments returns. */
#ifndef CMK_STATUS_H
#define CMK_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Whenever the answer is not CMK_OK, nothing was written: not the output, not the context. (Where a function wipes its
 * context together with CMK_ERROR_TAG, it says so.) */
typedef enum cmk_status {
    CMK_OK = 0,
    CMK_ERROR_NULL = 1,   /* a pointer that is needed is NULL */
    CMK_ERROR_LENGTH = 2, /* a length that the algorithm does not allow */
    CMK_ERROR_KEY = 3,    /* the cmk_aes_key was never set, or is damaged */
    CMK_ERROR_STATE = 4,  /* the context was never initialised, or is damaged, or this is not what comes next */
    CMK_ERROR_TAG = 5     /* the message is not what was encrypted, or the tag is not its tag */
} cmk_status;

#ifdef __cplusplus
}
#endif

#endif
