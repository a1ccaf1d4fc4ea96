/*
 * Many threads open, search and close at once, with models of their own and one that
 * all share, which is closed while they search.
 *
 *   threads PICTURE.pgm CASCADE.xml THREADS ROUNDS
 */
#include "haarlem.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 64, FORMS = 3 };

static unsigned char *picture;
static int width, height, rounds;
static const char *xml;
static haarlem_model *shared;
static haarlem_detection want[FORMS][ROOM];
static size_t count[FORMS];

static int search(const haarlem_model *m, int form, haarlem_detection *found, size_t *n)
{
	char error[200] = "";
	haarlem_image image = {picture, width, height, width, HAARLEM_GREY};
	haarlem_options options = {.size = sizeof options};
	options.workers = form; /* 0 is all processors */
	options.scale = 1.2 + 0.1 * form;
	options.flags = form == 1 ? HAARLEM_OPENCV : 0;
	int status = haarlem_detect(m, &image, &options, found, ROOM, n, error, sizeof error);
	if (status != HAARLEM_OK && strstr(error, "closed") == NULL)
		printf("%s\n", error);
	return status;
}

static void *work(void *number)
{
	size_t bad = 0, k;
	haarlem_detection found[ROOM];
	for (int i = 0; i < rounds; i++) {
		int form = (int)((size_t)number + (size_t)i) % FORMS;
		int status = search(shared, form, found, &k);
		if (status == HAARLEM_OK)
			bad += k != count[form] || memcmp(found, want[form], k * sizeof *found) != 0;
		else
			bad += status != HAARLEM_ERR_ARGUMENT; /* the main thread has closed it */
		haarlem_model *own;
		if (haarlem_open_file(xml, &own, NULL, 0) != HAARLEM_OK || search(own, form, found, &k) != HAARLEM_OK ||
		    k != count[form] || memcmp(found, want[form], k * sizeof *found) != 0 || haarlem_close(own, NULL, 0) != HAARLEM_OK)
			bad++;
	}
	return (void *)bad;
}

int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	FILE *f = fopen(argv[1], "rb");
	xml = argv[2];
	int threads = atoi(argv[3]);
	rounds = atoi(argv[4]);
	if (f == NULL || fscanf(f, "P5 %d %d 255", &width, &height) != 2 || fgetc(f) == EOF)
		return 2;
	picture = malloc((size_t)width * (size_t)height);
	if (fread(picture, (size_t)width, (size_t)height, f) != (size_t)height || haarlem_open_file(xml, &shared, NULL, 0) != HAARLEM_OK)
		return 2;
	fclose(f);
	for (int form = 0; form < FORMS; form++)
		if (search(shared, form, want[form], &count[form]) != HAARLEM_OK || count[form] == 0)
			return 2;
	pthread_t *all = malloc((size_t)threads * sizeof *all);
	for (size_t i = 0; i < (size_t)threads; i++)
		if (pthread_create(&all[i], NULL, work, (void *)i) != 0)
			return 2;
	size_t bad = 0;
	for (int i = 0; i < threads; i++) {
		void *result;
		if (i == threads / 2)
			bad += haarlem_close(shared, NULL, 0) != HAARLEM_OK;
		pthread_join(all[i], &result);
		bad += (size_t)result;
	}
	free(all);
	free(picture);
	printf("%d threads, %d rounds, %zu wrong\n", threads, rounds, bad);
	return bad != 0;
}
