/* Finds objects in the picture of picture.h, twice a second, and prints them: the number of
 * their track, x, y, width, height, and the number of windows. They are compared with those
 * that Haarlem's detector finds.
 *
 * With a camera (esp_camera_fb_get, PIXFORMAT_GRAYSCALE, FRAMESIZE_QQVGA), fb->buf takes the
 * place of picture_pixels. */
#include <inttypes.h>
#include <stdio.h>

#include "esp_timer.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"

#include "NAME.h"
#include "picture.h"

static uint32_t scratch[UPPER_SCRATCH(PICTURE_WIDTH) / 4];
static NAME_window found[PICTURE_WINDOWS];
static NAME_object objects[20];
static int32_t numbers[20];
static NAME_tracker tracker;

void app_main(void)
{
	NAME_tracker_start(&tracker, PICTURE_WIDTH, PICTURE_HEIGHT);
	for (;;) {
		int64_t start = esp_timer_get_time();
		int32_t i, k, same, took, n = NAME_find(picture_pixels, PICTURE_WIDTH, PICTURE_WIDTH, PICTURE_HEIGHT, scratch, found, PICTURE_WINDOWS);
		n = NAME_group(found, n < PICTURE_WINDOWS ? n : PICTURE_WINDOWS, NEIGHBORS, PICTURE_WIDTH, PICTURE_HEIGHT, objects, 20);
		took = (int32_t)(esp_timer_get_time() - start);
		NAME_tracker_update(&tracker, start / 1000, objects, n, numbers);
		same = n == PICTURE_OBJECTS;
		for (i = 0; i < n; i++) {
			const NAME_object *o = objects + i;
			const int32_t values[] = { o->x, o->y, o->width, o->height, o->windows };
			for (k = 0; k < 5; k++) {
				same = same && values[k] == picture_objects[i][k];
			}
			printf("%" PRId32 " %d %d %d %d %" PRId32 "\n", numbers[i], o->x, o->y, o->width, o->height, o->windows);
		}
		printf("%" PRId32 " objects, %s, in %" PRId32 " microseconds\n", n, same ? "as the detector finds them" : "NOT those of the detector", took);
		fflush(stdout);
		vTaskDelay(pdMS_TO_TICKS(500));
	}
}
