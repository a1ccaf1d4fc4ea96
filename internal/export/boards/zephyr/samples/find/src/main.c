/* Finds objects in the picture of picture.h, twice a second, and prints them: the number of
 * their track, x, y, width, height, and the number of windows. They are compared with those
 * that Haarlem's detector finds.
 *
 * With a camera, a grey picture (VIDEO_PIX_FMT_GREY) takes the place of picture_pixels. */
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#include "NAME.h"
#include "picture.h"

static uint32_t scratch[UPPER_SCRATCH(PICTURE_WIDTH) / 4];
static NAME_window found[PICTURE_WINDOWS];
static NAME_object objects[20];
static int32_t numbers[20];
static NAME_tracker tracker;

int main(void)
{
	NAME_tracker_start(&tracker, PICTURE_WIDTH, PICTURE_HEIGHT);
	for (;;) {
		uint32_t took, start = k_cycle_get_32();
		int32_t i, k, same, n = NAME_find(picture_pixels, PICTURE_WIDTH, PICTURE_WIDTH, PICTURE_HEIGHT, scratch, found, PICTURE_WINDOWS);
		n = NAME_group(found, n < PICTURE_WINDOWS ? n : PICTURE_WINDOWS, NEIGHBORS, PICTURE_WIDTH, PICTURE_HEIGHT, objects, 20);
		took = k_cyc_to_us_floor32(k_cycle_get_32() - start);
		NAME_tracker_update(&tracker, k_uptime_get(), objects, n, numbers);
		same = n == PICTURE_OBJECTS;
		for (i = 0; i < n; i++) {
			const NAME_object *o = objects + i;
			const int32_t values[] = { o->x, o->y, o->width, o->height, o->windows };
			for (k = 0; k < 5; k++) {
				same = same && values[k] == picture_objects[i][k];
			}
			printk("%d %d %d %d %d %d\n", (int)numbers[i], o->x, o->y, o->width, o->height, (int)o->windows);
		}
		printk("%d objects, %s, in %u microseconds\n", (int)n, same ? "as the detector finds them" : "NOT those of the detector", (unsigned)took);
		k_msleep(500);
	}
	return 0;
}
