/*
 * haarlem.h - finds objects in pictures with detection cascades.
 *
 *   haarlem_model *model;
 *   char error[256];
 *   if (haarlem_open_builtin(NULL, &model, error, sizeof error) != HAARLEM_OK) ...
 *   haarlem_image image = {pixels, width, height, stride, HAARLEM_GREY};
 *   haarlem_detection found[64];
 *   size_t count;
 *   haarlem_detect(model, &image, NULL, found, 64, &count, error, sizeof error);
 *   haarlem_close(model, NULL, 0);
 *
 * Errors. A function that returns int returns HAARLEM_OK, which is 0, or another
 * haarlem_status. It then writes what is wrong into the caller's buffer error of
 * error_size bytes: text in UTF-8 that ends with a zero byte, cut if it is longer.
 * error may be NULL with an error_size of 0. Nothing is written on success. A NULL
 * pointer, a size that makes no sense or a closed model is an error, not a crash.
 *
 * Threads. All functions may be called by any number of threads at once, with the
 * same model too. A model may be closed while others search with it: they end as if
 * it were open. The library starts threads of its own, so that a process that has
 * called it must not go on in a fork()ed child without exec().
 *
 * Versions. What is declared here is version HAARLEM_ABI_VERSION. A library of a
 * later version runs programs that were compiled with this one as long as
 * haarlem_abi_version() is the same; structs grow at their end, and their first
 * member says how large the caller's is.
 */
#ifndef HAARLEM_H
#define HAARLEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HAARLEM_ABI_VERSION 1

/* Outcomes. */
enum haarlem_status {
	HAARLEM_OK = 0,
	HAARLEM_ERR_ARGUMENT = 1, /* an argument that cannot be right, or a closed model */
	HAARLEM_ERR_FILE = 2,     /* a file that cannot be read */
	HAARLEM_ERR_FORMAT = 3,   /* not a model, a damaged or too large one, or one that a format cannot express */
	HAARLEM_ERR_BUFFER = 4,   /* the caller's buffer is too small; count says what is needed */
	HAARLEM_ERR_LIMIT = 5,    /* a picture too large, or too many candidates */
	HAARLEM_ERR_INTERNAL = 6  /* a bug of the library */
};

/* Pixel formats: bytes of a pixel, in this order in memory. */
enum haarlem_format {
	HAARLEM_GREY = 1, /* 1 byte; searched without a copy */
	HAARLEM_BGR = 2,  /* 3 bytes, as OpenCV has them */
	HAARLEM_RGB = 3,  /* 3 bytes */
	HAARLEM_BGRA = 4, /* 4 bytes; alpha is ignored, as OpenCV does */
	HAARLEM_RGBA = 5  /* 4 bytes */
};

/* Formats of a model. */
enum haarlem_model_format {
	HAARLEM_NATIVE = 1,
	HAARLEM_XML = 2 /* of OpenCV 3 and 4 */
};

/* Flags of haarlem_options. */
enum haarlem_flag {
	/* Every candidate window is a detection. */
	HAARLEM_UNGROUPED = 1,

	/* Overlapping detections stay. */
	HAARLEM_OVERLAPPING = 2,

	/*
	 * Results are those of OpenCV's detectMultiScale3 with outputRejectLevels, in its
	 * order with one thread: score is the level weight, level the reject level. For
	 * models that OpenCV cannot have, see haarlem_info, the flag has no effect.
	 */
	HAARLEM_OPENCV = 4
};

/* A model: one cascade or several. */
typedef struct haarlem_model haarlem_model;

/*
 * A picture in the caller's memory, which is read during a call and not changed.
 * Pixel (x, y) begins at pixels + y*stride + x*(bytes of a pixel). stride may be
 * negative, for pictures whose last row comes first in memory: pixels is the first
 * row of the picture. A grey picture is copied only if its stride is negative or less
 * than its width.
 */
typedef struct haarlem_image {
	const uint8_t *pixels;
	int32_t width, height; /* 0 is an empty picture, in which nothing is found */
	ptrdiff_t stride;      /* bytes from a row to the next */
	int32_t format;        /* enum haarlem_format */
} haarlem_image;

/*
 * Settings of a search. Zero means the default in all members but the first:
 *
 *   haarlem_options options = {.size = sizeof options};
 *
 * The library keeps what it prepares for the last few different options of a model,
 * so that calls with the same ones are fast.
 */
typedef struct haarlem_options {
	size_t size;                    /* sizeof(haarlem_options) */
	double scale;                   /* factor between levels of the pyramid, 1.001 to 1024; 0: the model's, or 1.1 */
	int32_t min_width, min_height;  /* of objects, in pixels */
	int32_t max_width, max_height;  /* of objects; 0: no bound */
	int32_t min_neighbors;          /* groups of at most so many windows are dropped; 0: the model's own, most often 3 */
	uint32_t flags;                 /* enum haarlem_flag */
	double min_score;               /* detections with a lower score are dropped; 0: the model's own */
	double enlarge;                 /* pictures are enlarged up to so much, for small objects; 1 to 8; 0: 1 */
	int32_t workers;                /* threads for a picture; 0: one for each processor. Results do not depend on it */
	int32_t max_candidates;         /* of a picture; more is an error; 0: 262144; -1: no bound */
} haarlem_options;

/* An object that was found. */
typedef struct haarlem_detection {
	int32_t x, y, width, height;
	int32_t neighbors; /* windows that were grouped */
	int32_t level;     /* exits of the cascade that were passed: all */
	double score;      /* a probability, if the model is calibrated */
} haarlem_detection;

/* What a model is. */
typedef struct haarlem_model_info {
	size_t size;           /* sizeof(haarlem_model_info), set by the caller */
	int32_t width, height; /* of the detection window: the smallest objects */
	int32_t features;      /* 0: Haar-like, 1: local binary patterns, as OpenCV numbers them */
	int32_t exits;         /* stages; of a soft cascade, exits */
	int32_t opencv;        /* 1: OpenCV's rules apply, and HAARLEM_OPENCV has an effect */
	int32_t calibrated;    /* 1: scores are probabilities */
} haarlem_model_info;

/* Landmarks: a model that finds points of an object in its box, such as the eyes of a face. */
typedef struct haarlem_landmarks haarlem_landmarks;

/*
 * A point, in pixels from the upper left corner of the picture: pixel (0, 0) covers
 * the square from (0, 0) to (1, 1).
 */
typedef struct haarlem_point {
	double x, y;
} haarlem_point;

/* A tracker: it makes tracks of what is found in the frames of a video. */
typedef struct haarlem_tracker haarlem_tracker;

/* Settings of a tracker. Zero means the default in all members but the first. */
typedef struct haarlem_tracker_options {
	size_t size;           /* sizeof(haarlem_tracker_options) */
	double overlap;        /* smallest intersection over union of a detection and a track; 0: 0.3 */
	double strong;         /* score from which a detection may begin a track; 0: any */
	double memory;         /* seconds for which a lost track may be taken up again; 0: 2; negative: none */
	int32_t hits;          /* detections that make a track; 0: 2 */
	int32_t misses;        /* frames in a row that may miss a track; 0: 8; -1: none */
	int32_t width, height; /* of the frames: what leaves them ends; 0: no bounds */
} haarlem_tracker_options;

/* A track, where it is in the frame of the last update. */
typedef struct haarlem_track {
	int32_t x, y, width, height; /* smoothed */
	int32_t number;              /* of the track, from 1 */
	int32_t index;               /* of its detection in this frame; -1: missed, and predicted */
	int32_t misses;              /* frames since its newest detection */
	double score;                /* of that */
} haarlem_track;

#ifndef HAARLEM_NO_PROTOTYPES /* for the library itself */

/* The HAARLEM_ABI_VERSION of the library that runs. */
int32_t haarlem_abi_version(void);

/* The release of the library that runs, such as "1.0.0". The text stays. */
const char *haarlem_version(void);

/*
 * The name of a built-in model, the default first, and NULL behind the last. The text
 * stays.
 */
const char *haarlem_builtin(size_t index);

/*
 * Open a model from a file in OpenCV's XML or the native format; from size bytes in
 * memory, which need not stay; or a built-in one by its name, where NULL means the
 * default. *model is NULL after an error.
 */
int haarlem_open_file(const char *path, haarlem_model **model, char *error, size_t error_size);
int haarlem_open_memory(const void *data, size_t size, haarlem_model **model, char *error, size_t error_size);
int haarlem_open_builtin(const char *name, haarlem_model **model, char *error, size_t error_size);

/* Close a model. NULL is allowed and does nothing. */
int haarlem_close(haarlem_model *model, char *error, size_t error_size);

/* Describe a model. */
int haarlem_info(const haarlem_model *model, haarlem_model_info *info, char *error, size_t error_size);

/*
 * Write a model into memory, as haarlem_open_memory reads it. format is
 * one of enum haarlem_model_format. data, capacity and count are as for haarlem_detect,
 * in bytes.
 */
int haarlem_write(const haarlem_model *model, int32_t format, void *data, size_t capacity, size_t *count, char *error,
                  size_t error_size);

/*
 * Find objects, best first. options may be NULL. The first capacity of them are
 * written to found, which may be NULL if capacity is 0, and their number to *count. If
 * there are more than capacity, the result is HAARLEM_ERR_BUFFER, and *count says how
 * many there are. After any other error *count is 0.
 */
int haarlem_detect(const haarlem_model *model, const haarlem_image *image, const haarlem_options *options,
                   haarlem_detection *found, size_t capacity, size_t *count, char *error, size_t error_size);

/* Open and close landmarks like a model. Built in are "face5", which NULL means, and "face68". */
int haarlem_landmarks_open_file(const char *path, haarlem_landmarks **landmarks, char *error, size_t error_size);
int haarlem_landmarks_open_memory(const void *data, size_t size, haarlem_landmarks **landmarks, char *error, size_t error_size);
int haarlem_landmarks_open_builtin(const char *name, haarlem_landmarks **landmarks, char *error, size_t error_size);
int haarlem_landmarks_close(haarlem_landmarks *landmarks, char *error, size_t error_size);

/*
 * Find the points of an object that model found; NULL for model means that the box is
 * of the kind that landmarks was trained with. points, capacity and count are as for
 * haarlem_detect. "face5" finds the left eye, the right eye, the nose, the left and the
 * right corner of the mouth, as seen in the picture.
 */
int haarlem_landmarks_find(const haarlem_landmarks *landmarks, const haarlem_model *model, const haarlem_image *image,
                           const haarlem_detection *object, haarlem_point *points, size_t capacity, size_t *count,
                           char *error, size_t error_size);

/* Open and close a tracker. options may be NULL. */
int haarlem_tracker_open(const haarlem_tracker_options *options, haarlem_tracker **tracker, char *error, size_t error_size);
int haarlem_tracker_close(haarlem_tracker *tracker, char *error, size_t error_size);

/*
 * Take in the n detections of the frame at a time in seconds, which must not be before
 * the last one's, and give the tracks in this frame. image may be NULL; with it, objects
 * that pass each other are told apart. tracks, capacity and count are as for
 * haarlem_detect; what does not fit is lost, but not its track.
 */
int haarlem_tracker_update(haarlem_tracker *tracker, double seconds, const haarlem_image *image,
                           const haarlem_detection *found, size_t n, haarlem_track *tracks, size_t capacity,
                           size_t *count, char *error, size_t error_size);

#endif

#ifdef __cplusplus
}
#endif

#endif
