/* See esp_timer.h. */
