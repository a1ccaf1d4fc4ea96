/* What the sample of an export needs of Zephyr, so that it runs without a board: two rounds
 * of its loop. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int64_t milliseconds;

static inline int64_t k_uptime_get(void)
{
	return milliseconds;
}

static inline uint32_t k_cycle_get_32(void)
{
	return 0;
}

static inline void k_msleep(int32_t n)
{
	milliseconds += n;
	if (milliseconds >= 1000) {
		exit(0);
	}
}

#define k_cyc_to_us_floor32(n) (n)
#define printk printf
