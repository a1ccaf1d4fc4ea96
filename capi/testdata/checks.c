/*
 * What a caller can do wrong, and what is promised about memory.
 *
 *   checks PICTURE.pgm frontalface-opencv.xml face-fast.cascade [quick]
 */
#define _GNU_SOURCE
#include "haarlem.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int failed, checked, quick; /* quick: for valgrind, which is slow */
static char error[400];

#define CHECK(condition)                                                                              \
	do {                                                                                              \
		checked++;                                                                                    \
		if (!(condition)) {                                                                           \
			failed++;                                                                                 \
			printf("line %d: not so: %s; the last error: %s\n", __LINE__, #condition, error);         \
		}                                                                                             \
	} while (0)

/* The status of a call must be want, and the error's text must have a word in it. */
#define FAILS(call, want, word)                                                                       \
	do {                                                                                              \
		strcpy(error, "(none)");                                                                      \
		int got = (call);                                                                             \
		CHECK(got == (want));                                                                         \
		CHECK(strstr(error, word) != NULL);                                                           \
	} while (0)

#define E error, sizeof error

static unsigned char *picture;
static int width, height;

static unsigned char *read_file(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	if (f == NULL || fseek(f, 0, SEEK_END) != 0) {
		perror(path);
		exit(1);
	}
	*size = (size_t)ftell(f);
	rewind(f);
	unsigned char *all = malloc(*size + 1);
	if (fread(all, 1, *size, f) != *size)
		exit(1);
	all[*size] = 0;
	fclose(f);
	return all;
}

static void read_picture(const char *path)
{
	size_t size;
	unsigned char *all = read_file(path, &size);
	int skip = 0;
	if (sscanf((char *)all, "P5 %d %d 255%n", &width, &height, &skip) != 2 || size != (size_t)skip + 1 + (size_t)width * (size_t)height)
		exit(1);
	picture = malloc((size_t)width * (size_t)height);
	memcpy(picture, all + skip + 1, (size_t)width * (size_t)height);
	free(all);
}

enum { ROOM = 512 };

/* Two results are the same. */
static int same(const haarlem_detection *a, size_t n, const haarlem_detection *b, size_t m)
{
	return n == m && memcmp(a, b, n * sizeof *a) == 0;
}

/* All of the memory for a picture, with pages behind and before it that nobody may touch. */
static unsigned char *guarded(size_t size, int at_end)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), inside = (size + page - 1) / page * page;
	unsigned char *all = mmap(NULL, inside + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (all == MAP_FAILED || mprotect(all + page, inside, PROT_READ | PROT_WRITE) != 0) {
		perror("mmap");
		exit(1);
	}
	return at_end ? all + page + inside - size : all + page;
}

static void check_opening(const char *xml, const char *native)
{
	haarlem_model *m = (haarlem_model *)&failed;
	FAILS(haarlem_open_file(NULL, &m, E), HAARLEM_ERR_ARGUMENT, "path");
	CHECK(m == NULL);
	FAILS(haarlem_open_file(xml, NULL, E), HAARLEM_ERR_ARGUMENT, "model");
	FAILS(haarlem_open_file("/nowhere/at/all.xml", &m, E), HAARLEM_ERR_FILE, "/nowhere/at/all.xml");
	FAILS(haarlem_open_file("", &m, E), HAARLEM_ERR_FILE, "");
	FAILS(haarlem_open_file("/", &m, E), HAARLEM_ERR_FILE, "/");
	FAILS(haarlem_open_builtin("nothing", &m, E), HAARLEM_ERR_ARGUMENT, "face-fast");
	FAILS(haarlem_open_builtin("", &m, E), HAARLEM_ERR_ARGUMENT, "name");
	FAILS(haarlem_open_memory(NULL, 5, &m, E), HAARLEM_ERR_ARGUMENT, "data");
	FAILS(haarlem_open_memory("x", SIZE_MAX, &m, E), HAARLEM_ERR_ARGUMENT, "size");
	FAILS(haarlem_open_memory(NULL, 0, &m, E), HAARLEM_ERR_FORMAT, "");
	FAILS(haarlem_open_memory("hello", 5, &m, E), HAARLEM_ERR_FORMAT, "");
	CHECK(m == NULL);

	/* Without a buffer for the text, and with one that is too small. */
	CHECK(haarlem_open_memory("hello", 5, &m, NULL, 0) == HAARLEM_ERR_FORMAT);
	CHECK(haarlem_open_memory("hello", 5, &m, NULL, 100) == HAARLEM_ERR_FORMAT);
	char small[8] = "1234567";
	CHECK(haarlem_open_file("/nowhere", &m, small, 0) == HAARLEM_ERR_FILE && strcmp(small, "1234567") == 0);
	CHECK(haarlem_open_file("/nowhere", &m, small, 1) == HAARLEM_ERR_FILE && small[0] == 0 && small[1] == '2');
	CHECK(haarlem_open_file("/nowhere", &m, small, 5) == HAARLEM_ERR_FILE && strlen(small) == 4 && small[5] == '6');
	CHECK(haarlem_open_file("/nowhere", &m, error, SIZE_MAX) == HAARLEM_ERR_FILE);

	/* From a file and from memory it is the same model. */
	size_t size;
	unsigned char *data = read_file(xml, &size);
	haarlem_model *a, *b;
	haarlem_model_info info = {.size = sizeof info};
	CHECK(haarlem_open_file(xml, &a, E) == HAARLEM_OK);
	CHECK(haarlem_open_memory(data, size, &b, E) == HAARLEM_OK);
	memset(data, 0, size); /* which need not stay */
	haarlem_image image = {picture, width, height, width, HAARLEM_GREY};
	haarlem_detection from_file[ROOM], from_memory[ROOM];
	size_t n, k;
	CHECK(haarlem_detect(a, &image, NULL, from_file, ROOM, &n, E) == HAARLEM_OK);
	CHECK(haarlem_detect(b, &image, NULL, from_memory, ROOM, &k, E) == HAARLEM_OK);
	CHECK(n > 0 && same(from_file, n, from_memory, k));
	CHECK(haarlem_info(a, &info, E) == HAARLEM_OK);
	CHECK(info.size == sizeof info && info.width == 24 && info.height == 24 && info.features == 0 && info.exits == 22 && info.opencv == 1 && info.calibrated == 0);
	CHECK(haarlem_close(b, E) == HAARLEM_OK);

	/* Written in both formats, it is the same model. */
	for (int format = HAARLEM_NATIVE; format <= HAARLEM_XML; format++) {
		size_t bytes;
		FAILS(haarlem_write(a, format, NULL, 0, &bytes, E), HAARLEM_ERR_BUFFER, "room for 0");
		unsigned char *written = guarded(bytes, 1);
		CHECK(haarlem_write(a, format, written, bytes, &bytes, E) == HAARLEM_OK);
		CHECK((written[0] == '<') == (format == HAARLEM_XML));
		CHECK(haarlem_open_memory(written, bytes, &b, E) == HAARLEM_OK);
		CHECK(haarlem_detect(b, &image, NULL, from_memory, ROOM, &k, E) == HAARLEM_OK && same(from_file, n, from_memory, k));
		CHECK(haarlem_close(b, E) == HAARLEM_OK);
		FAILS(haarlem_write(a, format, NULL, 5, &bytes, E), HAARLEM_ERR_ARGUMENT, "data");
	}
	FAILS(haarlem_write(a, 3, data, size, &k, E), HAARLEM_ERR_ARGUMENT, "format");
	FAILS(haarlem_write(a, HAARLEM_XML, data, size, NULL, E), HAARLEM_ERR_ARGUMENT, "count");
	FAILS(haarlem_write(NULL, HAARLEM_XML, data, size, &k, E), HAARLEM_ERR_ARGUMENT, "model");
	for (size_t cut = 0; cut < size; cut += size / 7) /* zeros, and truncated */
		CHECK(haarlem_open_memory(data, cut, &b, E) == HAARLEM_ERR_FORMAT);
	free(data);

	/* A smaller struct, of an earlier version, and a larger one, of a later. */
	info.calibrated = 77;
	info.size = offsetof(haarlem_model_info, calibrated);
	CHECK(haarlem_info(a, &info, E) == HAARLEM_OK && info.calibrated == 77 && info.exits == 22);
	info.size = 0;
	FAILS(haarlem_info(a, &info, E), HAARLEM_ERR_ARGUMENT, "size");
	info.size = SIZE_MAX;
	FAILS(haarlem_info(a, &info, E), HAARLEM_ERR_ARGUMENT, "size");
	FAILS(haarlem_info(a, NULL, E), HAARLEM_ERR_ARGUMENT, "info");
	FAILS(haarlem_info(NULL, &info, E), HAARLEM_ERR_ARGUMENT, "model");

	/* Closed, closed twice, and what never was a model. */
	CHECK(haarlem_close(a, E) == HAARLEM_OK);
	FAILS(haarlem_close(a, E), HAARLEM_ERR_ARGUMENT, "closed");
	FAILS(haarlem_info(a, &info, E), HAARLEM_ERR_ARGUMENT, "closed");
	FAILS(haarlem_detect(a, &image, NULL, from_file, ROOM, &n, E), HAARLEM_ERR_ARGUMENT, "closed");
	FAILS(haarlem_close((haarlem_model *)picture, E), HAARLEM_ERR_ARGUMENT, "never opened");
	FAILS(haarlem_close((haarlem_model *)UINTPTR_MAX, E), HAARLEM_ERR_ARGUMENT, "never opened");
	CHECK(haarlem_close(NULL, E) == HAARLEM_OK);

	CHECK(haarlem_open_file(native, &a, E) == HAARLEM_OK);
	info.size = sizeof info;
	CHECK(haarlem_info(a, &info, E) == HAARLEM_OK && info.opencv == 0 && info.calibrated == 1);
	FAILS(haarlem_write(a, HAARLEM_XML, NULL, 0, &k, E), HAARLEM_ERR_FORMAT, "OpenCV's format");
	CHECK(haarlem_close(a, E) == HAARLEM_OK);
	FAILS(haarlem_open_builtin("profileface", &a, E), HAARLEM_ERR_ARGUMENT, "face replaces");

	/* Landmarks and tracks: each kind of handle for itself. */
	haarlem_landmarks *eyes;
	haarlem_tracker *tracker;
	haarlem_point points[5];
	haarlem_detection face = {.x = 10, .y = 10, .width = 40, .height = 50, .score = 1};
	haarlem_track track;
	haarlem_tracker_options follow = {.size = sizeof follow, .hits = 1};
	FAILS(haarlem_landmarks_open_builtin("face6", &eyes, E), HAARLEM_ERR_ARGUMENT, "face68");
	FAILS(haarlem_landmarks_open_file(native, &eyes, E), HAARLEM_ERR_FORMAT, "landmark");
	CHECK(haarlem_landmarks_open_builtin("face68", &eyes, E) == HAARLEM_OK);
	FAILS(haarlem_landmarks_find(eyes, NULL, &image, &face, points, 5, &n, E), HAARLEM_ERR_BUFFER, "68");
	CHECK(n == 68 && haarlem_landmarks_close(eyes, E) == HAARLEM_OK);
	CHECK(haarlem_landmarks_open_builtin(NULL, &eyes, E) == HAARLEM_OK);
	CHECK(haarlem_open_builtin(NULL, &a, E) == HAARLEM_OK);
	CHECK(haarlem_landmarks_find(eyes, a, &image, &face, points, 5, &n, E) == HAARLEM_OK && n == 5);
	FAILS(haarlem_landmarks_find(eyes, (haarlem_model *)eyes, &image, &face, points, 5, &n, E), HAARLEM_ERR_ARGUMENT, "model");
	FAILS(haarlem_landmarks_find((haarlem_landmarks *)a, a, &image, &face, points, 5, &n, E), HAARLEM_ERR_ARGUMENT, "landmarks");
	FAILS(haarlem_landmarks_find(eyes, a, &image, NULL, points, 5, &n, E), HAARLEM_ERR_ARGUMENT, "object");
	face.width = 0;
	FAILS(haarlem_landmarks_find(eyes, a, &image, &face, points, 5, &n, E), HAARLEM_ERR_ARGUMENT, "box");
	face.width = INT32_MAX;
	FAILS(haarlem_landmarks_find(eyes, a, &image, &face, points, 5, &n, E), HAARLEM_ERR_ARGUMENT, "box");
	face.width = 40;
	CHECK(haarlem_close(a, E) == HAARLEM_OK);
	FAILS(haarlem_landmarks_find(eyes, a, &image, &face, points, 5, &n, E), HAARLEM_ERR_ARGUMENT, "model");
	CHECK(haarlem_landmarks_close(eyes, E) == HAARLEM_OK);
	FAILS(haarlem_landmarks_close(eyes, E), HAARLEM_ERR_ARGUMENT, "closed");
	follow.overlap = 2;
	FAILS(haarlem_tracker_open(&follow, &tracker, E), HAARLEM_ERR_ARGUMENT, "verlap");
	follow.overlap = 0;
	CHECK(haarlem_tracker_open(&follow, &tracker, E) == HAARLEM_OK);
	CHECK(haarlem_tracker_update(tracker, 0, &image, &face, 1, &track, 1, &n, E) == HAARLEM_OK && n == 1 && track.number == 1 && track.index == 0);
	CHECK(haarlem_tracker_update(tracker, 0.04, &image, NULL, 0, &track, 1, &n, E) == HAARLEM_OK && n == 1 && track.index == -1 && track.misses == 1);
	FAILS(haarlem_tracker_update(tracker, 0.02, NULL, &face, 1, &track, 1, &n, E), HAARLEM_ERR_ARGUMENT, "after");
	FAILS(haarlem_tracker_update(tracker, 1, NULL, &face, SIZE_MAX, &track, 1, &n, E), HAARLEM_ERR_ARGUMENT, "detections");
	CHECK(haarlem_tracker_close(tracker, E) == HAARLEM_OK);

	int models = 0;
	for (; haarlem_builtin((size_t)models) != NULL; models++) {
		CHECK(haarlem_open_builtin(haarlem_builtin((size_t)models), &a, E) == HAARLEM_OK);
		CHECK(haarlem_close(a, E) == HAARLEM_OK);
	}
	CHECK(models >= 3 && haarlem_builtin(SIZE_MAX) == NULL);
	CHECK(haarlem_abi_version() == HAARLEM_ABI_VERSION);
	CHECK(strlen(haarlem_version()) >= 5);
}

static void check_arguments(const char *xml)
{
	haarlem_model *m;
	haarlem_image image = {picture, width, height, width, HAARLEM_GREY};
	haarlem_options options = {.size = sizeof options};
	haarlem_detection found[ROOM], again[ROOM];
	size_t n, k = 5;
	CHECK(haarlem_open_file(xml, &m, E) == HAARLEM_OK);
	CHECK(haarlem_detect(m, &image, NULL, found, ROOM, &n, E) == HAARLEM_OK && n > 1);
	CHECK(haarlem_detect(m, &image, &options, again, ROOM, &k, E) == HAARLEM_OK && same(found, n, again, k));

	FAILS(haarlem_detect(NULL, &image, NULL, found, ROOM, &k, E), HAARLEM_ERR_ARGUMENT, "model");
	CHECK(k == 0);
	FAILS(haarlem_detect(m, NULL, NULL, found, ROOM, &k, E), HAARLEM_ERR_ARGUMENT, "image");
	FAILS(haarlem_detect(m, &image, NULL, NULL, ROOM, &k, E), HAARLEM_ERR_ARGUMENT, "found");
	FAILS(haarlem_detect(m, &image, NULL, found, ROOM, NULL, E), HAARLEM_ERR_ARGUMENT, "count");

	/* The buffer is too small: the best are in it, and nothing behind it is touched. */
	memset(again, 0x5a, sizeof again);
	FAILS(haarlem_detect(m, &image, NULL, again, 1, &k, E), HAARLEM_ERR_BUFFER, "room for 1");
	CHECK(k == n && same(again, 1, found, 1) && ((unsigned char *)again)[sizeof *again] == 0x5a);
	FAILS(haarlem_detect(m, &image, NULL, NULL, 0, &k, E), HAARLEM_ERR_BUFFER, "room for 0");
	CHECK(k == n);
	/* A capacity that no memory has is the caller's word, and does not matter. */
	CHECK(haarlem_detect(m, &image, NULL, again, SIZE_MAX, &k, E) == HAARLEM_OK && same(found, n, again, k));

	/* Pictures that cannot be. */
	static const struct {
		int width, height;
		ptrdiff_t stride;
		int format, status;
		const char *word;
	} bad[] = {
		{-1, 10, 10, HAARLEM_GREY, HAARLEM_ERR_ARGUMENT, "-1 x 10"},
		{10, INT_MIN, 10, HAARLEM_GREY, HAARLEM_ERR_ARGUMENT, "10 x"},
		{INT_MAX, INT_MAX, INT_MAX, HAARLEM_GREY, HAARLEM_ERR_LIMIT, "pixels"},
		{INT_MAX, 1, 1, HAARLEM_BGR, HAARLEM_ERR_LIMIT, "pixels"},
		{10, 10, PTRDIFF_MAX, HAARLEM_GREY, HAARLEM_ERR_ARGUMENT, "stride"},
		{10, 10, PTRDIFF_MIN, HAARLEM_GREY, HAARLEM_ERR_ARGUMENT, "stride"},
		{10, 2, PTRDIFF_MAX / 2, HAARLEM_RGBA, HAARLEM_ERR_ARGUMENT, "stride"},
		{10, 2, PTRDIFF_MIN, HAARLEM_GREY, HAARLEM_ERR_ARGUMENT, "stride"},
		{10, 10, 10, 0, HAARLEM_ERR_ARGUMENT, "format"},
		{10, 10, 10, 6, HAARLEM_ERR_ARGUMENT, "format"},
		{10, 10, 10, INT_MIN, HAARLEM_ERR_ARGUMENT, "format"},
		{0, 0, 0, 99, HAARLEM_ERR_ARGUMENT, "format"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		haarlem_image b = {picture, bad[i].width, bad[i].height, bad[i].stride, bad[i].format};
		FAILS(haarlem_detect(m, &b, NULL, found, ROOM, &k, E), bad[i].status, bad[i].word);
		CHECK(k == 0);
	}
	haarlem_image nothing = {NULL, 10, 10, 10, HAARLEM_GREY};
	FAILS(haarlem_detect(m, &nothing, NULL, found, ROOM, &k, E), HAARLEM_ERR_ARGUMENT, "pixels");
	/* Empty ones may be, and need no pixels; and so may ones of one row with any stride. */
	haarlem_image empty = {NULL, 0, 10, 10, HAARLEM_GREY};
	CHECK(haarlem_detect(m, &empty, NULL, found, ROOM, &k, E) == HAARLEM_OK && k == 0);
	haarlem_image row = {picture, 100, 1, PTRDIFF_MIN, HAARLEM_GREY};
	CHECK(haarlem_detect(m, &row, NULL, found, ROOM, &k, E) == HAARLEM_OK && k == 0);

	/* Options that cannot be. */
#define OPTION(member, value, word)                                                                   \
	do {                                                                                              \
		haarlem_options o = {.size = sizeof o};                                                               \
		o.member = (value);                                                                           \
		FAILS(haarlem_detect(m, &image, &o, found, ROOM, &k, E), HAARLEM_ERR_ARGUMENT, word);         \
	} while (0)
	OPTION(size, 0, "size");
	OPTION(size, 7, "size");
	OPTION(size, SIZE_MAX, "size");
	OPTION(scale, 1.0, "Scale");
	OPTION(scale, -2.0, "Scale");
	OPTION(scale, NAN, "Scale");
	OPTION(scale, 1e300, "Scale");
	OPTION(min_width, -1, "MinSize");
	OPTION(max_height, INT_MIN, "MaxSize");
	OPTION(min_neighbors, -1, "MinNeighbors");
	OPTION(flags, 8u, "flags");
	OPTION(flags, UINT_MAX, "flags");
	OPTION(min_score, -1.0, "MinScore");
	OPTION(enlarge, 9.0, "Enlarge");
	OPTION(workers, -1, "Workers");
	OPTION(max_candidates, -2, "MaxCandidates");
	haarlem_options few = {.size = sizeof few};
	few.max_candidates = 1;
	FAILS(haarlem_detect(m, &image, &few, found, ROOM, &k, E), HAARLEM_ERR_LIMIT, "candidates");

	/* An earlier version's options, and a later one's, with nothing new and with something. */
	struct {
		haarlem_options options;
		unsigned char more[16];
	} later = {{.size = sizeof later}, {0}};
	CHECK(haarlem_detect(m, &image, &later.options, again, ROOM, &k, E) == HAARLEM_OK && k == n);
	later.more[3] = 1;
	FAILS(haarlem_detect(m, &image, &later.options, again, ROOM, &k, E), HAARLEM_ERR_ARGUMENT, "later version");
	haarlem_options earlier = {.size = offsetof(haarlem_options, flags)};
	earlier.flags = UINT_MAX; /* behind its end */
	CHECK(haarlem_detect(m, &image, &earlier, again, ROOM, &k, E) == HAARLEM_OK && k == n);

	/* As OpenCV does it: its order, its weights; and every window. */
	haarlem_model_info info = {.size = sizeof info};
	CHECK(haarlem_info(m, &info, E) == HAARLEM_OK && info.opencv == 1);
	int exits = info.exits;
	options.flags = HAARLEM_OPENCV;
	CHECK(haarlem_detect(m, &image, &options, again, ROOM, &k, E) == HAARLEM_OK && k > 1 && again[0].level == exits && again[0].neighbors > 3);
	options.flags |= HAARLEM_UNGROUPED;
	CHECK(haarlem_detect(m, &image, &options, NULL, 0, &k, E) == HAARLEM_ERR_BUFFER && k > 20);
	CHECK(haarlem_close(m, E) == HAARLEM_OK);
}

/* Any stride and format: each form of a picture gives what the plain one gives, and
 * nothing outside of it is read. */
static void check_forms(const char *xml)
{
	haarlem_model *m;
	CHECK(haarlem_open_file(xml, &m, E) == HAARLEM_OK);
	haarlem_detection want[ROOM], found[ROOM];
	size_t n, k;
	haarlem_image plain = {picture, width, height, width, HAARLEM_GREY};
	CHECK(haarlem_detect(m, &plain, NULL, want, ROOM, &n, E) == HAARLEM_OK && n > 0);
	static const int bytes[] = {0, 1, 3, 3, 4, 4};
	for (int format = HAARLEM_GREY; format <= HAARLEM_RGBA; format++)
		for (int gap = 0; gap < 40; gap += quick ? 39 : 13)
			for (int turned = 0; turned < 2; turned++)
				for (int at_end = quick; at_end < 2; at_end++) {
					int b = bytes[format];
					size_t row = (size_t)(width * b), stride = row + (size_t)gap;
					size_t size = stride * (size_t)(height - 1) + row;
					unsigned char *all = guarded(size, at_end);
					memset(all, 0xee, size);
					for (int y = 0; y < height; y++) {
						unsigned char *to = all + stride * (size_t)(turned ? height - 1 - y : y);
						for (int x = 0; x < width * b; x++)
							to[x] = b == 4 && x % 4 == 3 ? 7 : picture[y * width + x / b];
					}
					haarlem_image image = {all, width, height, (ptrdiff_t)stride, format};
					if (turned) {
						image.pixels = all + stride * (size_t)(height - 1);
						image.stride = -image.stride;
					}
					CHECK(haarlem_detect(m, &image, NULL, found, ROOM, &k, E) == HAARLEM_OK && same(want, n, found, k));
				}
	/* All rows the same one: a stride of 0. */
	haarlem_image flat = {picture, width, height, 0, HAARLEM_GREY};
	CHECK(haarlem_detect(m, &flat, NULL, found, ROOM, &k, E) == HAARLEM_OK);
	CHECK(haarlem_close(m, E) == HAARLEM_OK);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	quick = argc > 4;
	read_picture(argv[1]);
	if (!quick)
		check_opening(argv[2], argv[3]);
	check_arguments(argv[2]);
	check_forms(argv[2]);
	free(picture);
	printf("%d checks, %d failed\n", checked, failed);
	return failed != 0;
}
