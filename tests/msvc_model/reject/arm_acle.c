/* refused: 'arm_acle.h' file not found */
#include <arm_acle.h>
