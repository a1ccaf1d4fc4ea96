/*
 * Compiles if haarlem.h declares what the library exports. The header that go build
 * writes has no const, and another name for a handle.
 */
#define const
#include "haarlem.h"

#define HAARLEM_HANDLE haarlem_model *
#define HAARLEM_LANDMARKS_HANDLE haarlem_landmarks *
#define HAARLEM_TRACKER_HANDLE haarlem_tracker *
#include "exported.h"

/* Sizes and places that a program has compiled in must stay. */
#if UINTPTR_MAX == UINT64_MAX
#define IS(name, value) typedef char name[(value) ? 1 : -1]
IS(image_size, sizeof(haarlem_image) == 32);
IS(options_size, sizeof(haarlem_options) == 64);
IS(detection_size, sizeof(haarlem_detection) == 32);
IS(info_size, sizeof(haarlem_model_info) == 32);
IS(flags_at, offsetof(haarlem_options, flags) == 36);
IS(workers_at, offsetof(haarlem_options, workers) == 56);
IS(stride_at, offsetof(haarlem_image, stride) == 16);
IS(tracker_options_size, sizeof(haarlem_tracker_options) == 48);
IS(track_size, sizeof(haarlem_track) == 40);
IS(score_at, offsetof(haarlem_detection, score) == 24);
#endif
