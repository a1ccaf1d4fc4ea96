/* Module NAME of MicroPython:
 *
 *   NAME.find(grey, width, height[, neighbors])    [(x, y, width, height, windows, score), ...]
 *   t = NAME.Tracker(width, height)
 *   t.update(milliseconds, objects)                [number of the track of each, 0 for none yet]
 *   t.tracks(milliseconds)                         [(number, x, y, width, height), ...]
 *
 * grey is a bytes-like object with one byte a pixel, such as a framebuf.GS8. Groups of at most
 * neighbors windows are left out, NEIGHBORS of them unless it is said. */
#include "py/objlist.h"
#include "py/objtuple.h"
#include "py/runtime.h"

#include "NAME.h"

enum { FIRST = 100, OBJECTS = 20 };

static mp_obj_t NAME_module_find(size_t args, const mp_obj_t *arg)
{
	mp_buffer_info_t grey;
	mp_int_t width = mp_obj_get_int(arg[1]), height = mp_obj_get_int(arg[2]), neighbors = args > 3 ? mp_obj_get_int(arg[3]) : NEIGHBORS;
	int32_t room = FIRST, i, n;
	size_t bytes;
	void *scratch;
	NAME_window *found;
	NAME_object *objects;
	mp_obj_t list = mp_obj_new_list(0, NULL);
	mp_get_buffer_raise(arg[0], &grey, MP_BUFFER_READ);
	if (width < 1 || height < 1 || width > UPPER_MAX_WIDTH || height > UPPER_MAX_HEIGHT || grey.len < (size_t)width * height || neighbors < 0) {
		mp_raise_ValueError(MP_ERROR_TEXT("size"));
	}
	bytes = UPPER_SCRATCH(width);
	scratch = m_new(uint8_t, bytes);
	for (;;) {
		found = m_new(NAME_window, room);
		n = NAME_find(grey.buf, width, width, height, scratch, found, room);
		if (n <= room) {
			break;
		}
		m_del(NAME_window, found, room);
		room = n;
	}
	m_del(uint8_t, scratch, bytes);
	if (n < 0) {
		mp_raise_ValueError(MP_ERROR_TEXT("memory is not aligned"));
	}
	objects = m_new(NAME_object, n + 1);
	n = NAME_group(found, n, neighbors, width, height, objects, n + 1);
	m_del(NAME_window, found, room);
	for (i = 0; i < n; i++) {
		const NAME_object *o = objects + i;
		mp_obj_t items[] = {
			MP_OBJ_NEW_SMALL_INT(o->x), MP_OBJ_NEW_SMALL_INT(o->y), MP_OBJ_NEW_SMALL_INT(o->width), MP_OBJ_NEW_SMALL_INT(o->height),
			MP_OBJ_NEW_SMALL_INT(o->windows), mp_obj_new_int_from_ll(o->score),
		};
		mp_obj_list_append(list, mp_obj_new_tuple(6, items));
	}
	return list;
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(NAME_module_find_obj, 3, 4, NAME_module_find);

typedef struct {
	mp_obj_base_t base;
	NAME_tracker tracker;
} NAME_tracker_obj;

static mp_obj_t NAME_module_make_new(const mp_obj_type_t *type, size_t args, size_t named, const mp_obj_t *arg)
{
	NAME_tracker_obj *self;
	mp_arg_check_num(args, named, 2, 2, false);
	self = mp_obj_malloc(NAME_tracker_obj, type);
	NAME_tracker_start(&self->tracker, mp_obj_get_int(arg[0]), mp_obj_get_int(arg[1]));
	return MP_OBJ_FROM_PTR(self);
}

static mp_obj_t NAME_module_update(mp_obj_t self, mp_obj_t at, mp_obj_t list)
{
	NAME_tracker_obj *t = MP_OBJ_TO_PTR(self);
	NAME_object objects[OBJECTS];
	int32_t numbers[OBJECTS];
	mp_obj_t *all, *one, result = mp_obj_new_list(0, NULL);
	size_t n, i;
	mp_obj_get_array(list, &n, &all);
	if (n > OBJECTS) {
		mp_raise_ValueError(MP_ERROR_TEXT("too many objects"));
	}
	for (i = 0; i < n; i++) {
		mp_obj_get_array_fixed_n(all[i], 6, &one); /* the scores begin no tracks and end none */
		objects[i].x = (int16_t)mp_obj_get_int(one[0]);
		objects[i].y = (int16_t)mp_obj_get_int(one[1]);
		objects[i].width = (int16_t)mp_obj_get_int(one[2]);
		objects[i].height = (int16_t)mp_obj_get_int(one[3]);
		objects[i].score = 0;
	}
	NAME_tracker_update(&t->tracker, mp_obj_get_int(at), objects, (int32_t)n, numbers);
	for (i = 0; i < n; i++) {
		mp_obj_list_append(result, MP_OBJ_NEW_SMALL_INT(numbers[i]));
	}
	return result;
}
static MP_DEFINE_CONST_FUN_OBJ_3(NAME_module_update_obj, NAME_module_update);

static mp_obj_t NAME_module_tracks(mp_obj_t self, mp_obj_t at)
{
	NAME_tracker_obj *t = MP_OBJ_TO_PTR(self);
	NAME_track tracks[UPPER_TRACKS];
	mp_obj_t list = mp_obj_new_list(0, NULL);
	int32_t i, n = NAME_tracker_tracks(&t->tracker, mp_obj_get_int(at), tracks, UPPER_TRACKS);
	for (i = 0; i < n; i++) {
		const NAME_track *k = tracks + i;
		mp_obj_t items[] = {
			MP_OBJ_NEW_SMALL_INT(k->number), MP_OBJ_NEW_SMALL_INT(k->x), MP_OBJ_NEW_SMALL_INT(k->y), MP_OBJ_NEW_SMALL_INT(k->width),
			MP_OBJ_NEW_SMALL_INT(k->height),
		};
		mp_obj_list_append(list, mp_obj_new_tuple(5, items));
	}
	return list;
}
static MP_DEFINE_CONST_FUN_OBJ_2(NAME_module_tracks_obj, NAME_module_tracks);

static const mp_rom_map_elem_t NAME_tracker_table[] = {
	{ MP_ROM_QSTR(MP_QSTR_update), MP_ROM_PTR(&NAME_module_update_obj) },
	{ MP_ROM_QSTR(MP_QSTR_tracks), MP_ROM_PTR(&NAME_module_tracks_obj) },
};
static MP_DEFINE_CONST_DICT(NAME_tracker_dict, NAME_tracker_table);

MP_DEFINE_CONST_OBJ_TYPE(NAME_tracker_type, MP_QSTR_Tracker, MP_TYPE_FLAG_NONE, make_new, NAME_module_make_new, locals_dict, &NAME_tracker_dict);

static const mp_rom_map_elem_t NAME_module_table[] = {
	{ MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR_NAME) },
	{ MP_ROM_QSTR(MP_QSTR_find), MP_ROM_PTR(&NAME_module_find_obj) },
	{ MP_ROM_QSTR(MP_QSTR_Tracker), MP_ROM_PTR(&NAME_tracker_type) },
};
static MP_DEFINE_CONST_DICT(NAME_module_dict, NAME_module_table);

const mp_obj_module_t NAME_module = {
	.base = { &mp_type_module },
	.globals = (mp_obj_dict_t *)&NAME_module_dict,
};
MP_REGISTER_MODULE(MP_QSTR_NAME, NAME_module);
