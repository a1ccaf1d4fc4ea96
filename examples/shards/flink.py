# All shards of a list with Flink: flink run -py flink.py -- names.txt out 64
import os
import subprocess
import sys

from pyflink.datastream import StreamExecutionEnvironment

names, out, shards = *map(os.path.abspath, sys.argv[1:3]), int(sys.argv[3])


def run(shard):
    subprocess.run(["detect", "-list", names, "-shard", f"{shard}/{shards}", "-out", out], check=True)
    return shard


env = StreamExecutionEnvironment.get_execution_environment()
env.from_collection(range(shards)).rebalance().map(run).print()
env.execute("haarlem")
