// What the sketch of an export needs of Arduino.h, so that it runs without a board: two
// rounds of its loop.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct Printer {
  void begin(long) {}
  explicit operator bool() const { return true; }
  void print(const char *s) { fputs(s, stdout); }
  void print(char c) { putchar(c); }
  void print(int32_t n) { printf("%ld", (long)n); }
  void print(uint32_t n) { printf("%lu", (unsigned long)n); }
  void print(int16_t n) { printf("%d", n); }
  void println(const char *s) { puts(s); }
};

static Printer Serial;
static uint32_t milliseconds;

inline uint32_t millis() { return milliseconds; }
inline uint32_t micros() { return 1000 * milliseconds; }
inline void delay(uint32_t n) {
  milliseconds += n;
  if (milliseconds >= 1000) exit(0);
}

void setup();
void loop();

int main() {
  setup();
  for (;;) loop();
}
