#!/bin/bash
# Measures how the time of a job falls with workers, on one Linux machine with the cpu
# controller of cgroups (version 1): each worker is a network namespace with a tenth of a
# processor, and the pictures are in an S3 server that all reach over a bridge. Needs
# root, and haarlem-cloud and versitygw on the PATH.
#
#   PICTURE=samples/room.png N=800 bash docs/scaling/growth.sh
set -euo pipefail
picture=${PICTURE:-samples/room.png} n=${N:-800} shards=32 most=8
tmp=$(mktemp -d)
server=
trap 'kill $server; for i in $(seq $most); do ip netns del h$i; rmdir /sys/fs/cgroup/cpu/h$i; done; ip link del br77; rm -r "$tmp"' EXIT

export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=testtest AWS_REGION=us-east-1 AWS_ENDPOINT_URL=http://10.77.0.1:7070
ip link add br77 type bridge
ip addr add 10.77.0.1/24 dev br77
ip link set br77 up
for i in $(seq $most); do
	ip netns add h$i
	ip link add v$i type veth peer name e0 netns h$i
	ip link set v$i master br77 up
	ip -n h$i addr add 10.77.0.$((i + 1))/24 dev e0
	ip -n h$i link set e0 up
	mkdir -p /sys/fs/cgroup/cpu/h$i
	echo 100000 >/sys/fs/cgroup/cpu/h$i/cpu.cfs_period_us
	echo 10000 >/sys/fs/cgroup/cpu/h$i/cpu.cfs_quota_us
done

mkdir -p "$tmp/store/bucket/in"
for i in $(seq "$n"); do
	cp "$picture" "$tmp/store/bucket/in/$i.png"
	echo "s3://bucket/in/$i.png"
done >"$tmp/store/bucket/names.txt"
ROOT_ACCESS_KEY=test ROOT_SECRET_KEY=testtest versitygw --port 10.77.0.1:7070 posix "$tmp/store" >"$tmp/server.log" 2>&1 &
server=$!
sleep 2

for workers in 1 2 4 8; do
	began=$(date +%s%N)
	pids=()
	for w in $(seq $workers); do
		(
			echo $BASHPID >/sys/fs/cgroup/cpu/h$w/cgroup.procs
			for s in $(seq $((w - 1)) $workers $((shards - 1))); do
				ip netns exec h$w haarlem-cloud -list s3://bucket/names.txt -output s3://bucket/out$workers -shards $shards -shard $s >>"$tmp/$w.log" 2>&1
			done
		) &
		pids+=($!)
	done
	for p in "${pids[@]}"; do wait $p || cat "$tmp"/*.log >&2; done
	echo "$workers workers: $((($(date +%s%N) - began) / 1000000)) ms, results $(haarlem-cloud -output s3://bucket/out$workers -merge | sha256sum | cut -c 1-12)"
done
