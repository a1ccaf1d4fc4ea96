/* Prints what the exported cascade finds in the pictures of pictures.h: picture, x, y,
 * width, height, and the score in hexadecimal; and after the word end, what it makes of
 * that, with few neighbors and with more. */
#include <stdio.h>

#include "cascade.h"
#include "pictures.h"

static uint64_t scratch[CASCADE_SCRATCH(WIDEST) / 8 + 1];
static cascade_window found[MOST];
static cascade_object objects[MOST];

static void group(int32_t i)
{
	const picture *p = pictures + i;
	int32_t neighbors, k;
	for (neighbors = 1; neighbors < 4; neighbors += 2) {
		int32_t n = cascade_find(p->pixels, p->width, p->width, p->height, scratch, found, MOST);
		n = cascade_group(found, n, neighbors, p->width, p->height, objects, MOST);
		for (k = 0; k < n; k++) {
			const cascade_object *o = objects + k;
			printf("%d %d %d %d %d %d %d %.17g\n", (int)i, (int)neighbors, o->x, o->y, o->width, o->height, (int)o->windows, (double)o->score);
		}
	}
}

int main(void)
{
	int32_t i, k;
	for (i = 0; i < PICTURES; i++) {
		const picture *p = pictures + i;
		uint64_t guard = 0x0123456789abcdefu;
		int32_t n;
		scratch[CASCADE_SCRATCH(p->width) / 8] = guard;
		n = cascade_find(p->pixels, p->width, p->width, p->height, scratch, found, MOST);
		if (n > MOST || scratch[CASCADE_SCRATCH(p->width) / 8] != guard) {
			printf("%d windows, guard %s\n", (int)n, scratch[CASCADE_SCRATCH(p->width) / 8] == guard ? "kept" : "overwritten");
			return 1;
		}
		for (k = 0; k < n; k++) {
			const cascade_window *f = found + k;
			uint64_t score = (uint64_t)(int64_t)f->score;
			printf("%d %d %d %d %d %08lx%08lx\n", (int)i, f->x, f->y, f->width, f->height,
				(unsigned long)(score >> 32), (unsigned long)(score & 0xffffffffu));
		}
	}
	printf("end\n");
	for (i = 0; i < PICTURES; i++) {
		group(i);
	}
	return 0;
}
