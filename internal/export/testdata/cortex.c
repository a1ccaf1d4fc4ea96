/* Starts a program on a Cortex-M, with the files of newlib's semihosting. */
#include <stdint.h>
#include <stdlib.h>

extern uint32_t bss_begin, bss_end, stack_top;
extern void initialise_monitor_handles(void);
extern int main(void);

void reset(void);
void _init(void);
void _fini(void);

/* newlib wants these. */
void _init(void)
{
}

void _fini(void)
{
}

void reset(void)
{
	uint32_t *p;
	for (p = &bss_begin; p < &bss_end; p++) {
		*p = 0;
	}
	initialise_monitor_handles();
	exit(main());
}

static void fault(void)
{
	for (;;) {
	}
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
	(void (*)(void))(uintptr_t)&stack_top, reset, fault, fault, fault, fault, fault,
};
