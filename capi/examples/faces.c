/*
 * Finds the faces in a picture, in the PGM or PPM form (P5, P6).
 *
 *   cc faces.c $(pkg-config --cflags --libs haarlem) -o faces
 *   ./faces photo.ppm
 */
#include <haarlem.h>

#include <stdio.h>
#include <stdlib.h>

/* Reads a picture, or returns 0. */
static int read_picture(const char *path, haarlem_image *image)
{
	FILE *f = fopen(path, "rb");
	char kind;
	int width, height, most;
	if (f == NULL)
		return 0;
	if (fscanf(f, "P%c %d %d %d", &kind, &width, &height, &most) != 4 || fgetc(f) == EOF || (kind != '5' && kind != '6') ||
	    width < 1 || height < 1 || width > 30000 || height > 30000 || most != 255) {
		fclose(f);
		return 0;
	}
	size_t row = (size_t)width * (kind == '6' ? 3 : 1);
	unsigned char *pixels = malloc(row * (size_t)height);
	size_t rows = pixels == NULL ? 0 : fread(pixels, row, (size_t)height, f);
	fclose(f);
	if (rows != (size_t)height) {
		free(pixels);
		return 0;
	}
	*image = (haarlem_image){pixels, width, height, (ptrdiff_t)row, kind == '6' ? HAARLEM_RGB : HAARLEM_GREY};
	return 1;
}

int main(int argc, char **argv)
{
	char error[300];
	haarlem_model *model;
	haarlem_image image;
	haarlem_detection *found = NULL;
	size_t capacity = 0, count = 0;
	int status;

	if (argc != 2 || !read_picture(argv[1], &image)) {
		fprintf(stderr, "usage: faces PICTURE, in the PGM or PPM form\n");
		return 2;
	}
	if (haarlem_open_builtin(NULL, &model, error, sizeof error) != HAARLEM_OK) {
		fprintf(stderr, "faces: %s\n", error);
		return 1;
	}
	haarlem_options options = {.size = sizeof options};
	options.min_width = options.min_height = 30;

	/* Room for 16, and if there are more, for as many as there are. */
	for (capacity = 16;; capacity = count) {
		found = realloc(found, capacity * sizeof *found);
		if (found == NULL)
			return 1;
		status = haarlem_detect(model, &image, &options, found, capacity, &count, error, sizeof error);
		if (status != HAARLEM_ERR_BUFFER)
			break;
	}
	if (status != HAARLEM_OK) {
		fprintf(stderr, "faces: %s\n", error);
		return 1;
	}
	for (size_t i = 0; i < count; i++)
		printf("%d %d %d %d %.4f\n", found[i].x, found[i].y, found[i].width, found[i].height, found[i].score);
	free(found);
	free((void *)image.pixels);
	haarlem_close(model, NULL, 0);
	return 0;
}
