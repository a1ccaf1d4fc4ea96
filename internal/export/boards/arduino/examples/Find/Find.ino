// Finds objects in the picture of picture.h, twice a second, and prints them: the number of
// their track, x, y, width, height, and the number of windows. They are compared with those
// that Haarlem's detector finds.
//
// With a camera, its driver fills a grey picture, which takes the place of picture_pixels.
// For boards whose program memory is read like any other: Arm, ESP32, RISC-V, not AVR.
#include <NAME.h>
#include "picture.h"

static uint32_t scratch[UPPER_SCRATCH(PICTURE_WIDTH) / 4];
static NAME_window found[PICTURE_WINDOWS];
static NAME_object objects[20];
static int32_t numbers[20];
static NAME_tracker tracker;

void setup() {
  Serial.begin(115200);
  while (!Serial && millis() < 3000) {
  }
  NAME_tracker_start(&tracker, PICTURE_WIDTH, PICTURE_HEIGHT);
}

void loop() {
  uint32_t start = micros();
  int32_t n = NAME_find(picture_pixels, PICTURE_WIDTH, PICTURE_WIDTH, PICTURE_HEIGHT, scratch, found, PICTURE_WINDOWS);
  if (n > PICTURE_WINDOWS) {
    n = PICTURE_WINDOWS;
  }
  n = NAME_group(found, n, NEIGHBORS, PICTURE_WIDTH, PICTURE_HEIGHT, objects, 20);
  uint32_t took = micros() - start;
  if (n < 0) {
    n = 0;
  }
  NAME_tracker_update(&tracker, millis(), objects, n, numbers);
  bool same = n == PICTURE_OBJECTS;
  for (int32_t i = 0; i < n; i++) {
    const int16_t values[] = {(int16_t)numbers[i], objects[i].x, objects[i].y, objects[i].width, objects[i].height, (int16_t)objects[i].windows};
    for (int k = 0; k < 6; k++) {
      Serial.print(values[k]);
      Serial.print(k < 5 ? ' ' : '\n');
      same = same && (k == 0 || values[k] == picture_objects[i][k - 1]);
    }
  }
  Serial.print(n);
  Serial.print(same ? " objects, as the detector finds them, in " : " objects, NOT those of the detector, in ");
  Serial.print(took);
  Serial.println(" microseconds");
  delay(500);
}
