#include "threads.h"
#include <opencv2/core/utility.hpp>

void haarlem_set_threads(int n) { cv::setNumThreads(n); }
