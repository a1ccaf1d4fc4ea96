/* Prints what the exported tracker makes of the films of films.h: film, frame, the number
 * of each object; and the tracks, 40 milliseconds later. */
#include <stdio.h>

#ifndef CASCADE_TRACKS
#define CASCADE_TRACKS 64
#endif
#include "cascade.h"
#include "films.h"

static cascade_tracker tracker;
static cascade_track tracks[CASCADE_TRACKS];
static cascade_object objects[100];
static int32_t numbers[100];

int main(void)
{
	const int32_t *f = films, *end = films + sizeof(films) / sizeof(films[0]);
	int32_t film, frame, frames, i, n;
	for (film = 0; f < end; film++) {
		cascade_tracker_start(&tracker, f[4], f[5]);
		tracker.strong = f[0];
		tracker.hits = f[1];
		tracker.misses = f[2];
		tracker.memory = f[3];
		frames = f[6];
		f += 7;
		for (frame = 0; frame < frames; frame++) {
			int32_t at = *f++;
			n = *f++;
			for (i = 0; i < n; i++, f += 5) {
				cascade_object *o = objects + i;
				o->x = (int16_t)f[0];
				o->y = (int16_t)f[1];
				o->width = (int16_t)f[2];
				o->height = (int16_t)f[3];
				o->score = f[4];
			}
			cascade_tracker_update(&tracker, at, objects, n, numbers);
			printf("%d %d", (int)film, (int)frame);
			for (i = 0; i < n; i++) {
				printf(" %d", (int)numbers[i]);
			}
			printf("\n");
			n = cascade_tracker_tracks(&tracker, at + 40, tracks, CASCADE_TRACKS);
			for (i = 0; i < n; i++) {
				const cascade_track *t = tracks + i;
				printf("%d %d %d %d %d %d %d %d %d %d\n", (int)t->number, (int)t->x, (int)t->y, (int)t->width, (int)t->height,
					(int)t->hits, (int)t->misses, (int)t->score, (int)t->first, (int)t->seen);
			}
		}
	}
	return 0;
}
