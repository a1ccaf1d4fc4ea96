/* What the example of an export needs of ESP-IDF, so that it runs without a board: two
 * rounds of its loop. */
#include <stdint.h>
#include <stdlib.h>

static int64_t microseconds;

static inline int64_t esp_timer_get_time(void)
{
	return microseconds;
}

static inline void vTaskDelay(int32_t n)
{
	microseconds += 1000 * n;
	if (microseconds >= 1000000) {
		exit(0);
	}
}

#define pdMS_TO_TICKS(n) (n)

void app_main(void);

int main(void)
{
	app_main();
	return 0;
}
