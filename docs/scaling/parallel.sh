#!/bin/bash
# GNU parallel: 64 shards on the machines in hosts.txt, which share a folder. Each
# shard has up to 5 tries; the same command goes on after an interruption.
set -e
parallel --sshloginfile "${HOSTS:-hosts.txt}" --workdir "$PWD" --jobs 1 --retries 5 --halt soon,fail=10% \
	detect -list "${LIST:-names.txt}" -shard {}/64 -out "${OUT:-out}" ::: $(seq 0 63)
detect merge -list "${LIST:-names.txt}" "${OUT:-out}" >results.jsonl
