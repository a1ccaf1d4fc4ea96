#pragma once
#ifdef __cplusplus
extern "C" {
#endif
void haarlem_set_threads(int n);
#ifdef __cplusplus
}
#endif
