/* A plugin for QEMU that counts the instructions of each translated block:
 *
 *     qemu-aarch64 -plugin ./count.so,out=FILE PROGRAM
 *
 * writes a line a block: its address in hexadecimal, and how many instructions
 * of it were executed. The declarations are those of QEMU's plugins, version 1.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qemu_plugin_tb;
typedef uint64_t id;
void qemu_plugin_register_vcpu_tb_trans_cb(id, void (*)(id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned cpu, void *), int flags, void *);
void qemu_plugin_register_atexit_cb(id, void (*)(id, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

struct block {
	uint64_t address, instructions, times;
	struct block *next;
};

static struct block *blocks; /* translation is one at a time */
static FILE *out;

static void executed(unsigned cpu, void *b)
{
	__atomic_fetch_add(&((struct block *)b)->times, 1, __ATOMIC_RELAXED);
}

static void translated(id i, struct qemu_plugin_tb *tb)
{
	struct block *b = calloc(1, sizeof *b);
	if (!b)
		abort();
	b->address = qemu_plugin_tb_vaddr(tb);
	b->instructions = qemu_plugin_tb_n_insns(tb);
	do
		b->next = __atomic_load_n(&blocks, __ATOMIC_RELAXED);
	while (!__sync_bool_compare_and_swap(&blocks, b->next, b));
	qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, 0, b);
}

static void ended(id i, void *unused)
{
	for (struct block *b = blocks; b; b = b->next)
		if (b->times)
			fprintf(out, "%llx %llu\n", (unsigned long long)b->address,
				(unsigned long long)(b->instructions * b->times));
	fclose(out);
}

__attribute__((visibility("default"))) int qemu_plugin_install(id i, const void *info, int argc, char **argv)
{
	if (argc != 1 || strncmp(argv[0], "out=", 4) || !(out = fopen(argv[0] + 4, "w")))
		return 1;
	qemu_plugin_register_vcpu_tb_trans_cb(i, translated);
	qemu_plugin_register_atexit_cb(i, ended, NULL);
	return 0;
}
