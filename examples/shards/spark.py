# All shards of a list with Spark: spark-submit spark.py names.txt out 64
import os
import subprocess
import sys

from pyspark.sql import SparkSession

names, out, shards = *map(os.path.abspath, sys.argv[1:3]), int(sys.argv[3])


def run(shard):
    subprocess.run(["detect", "-list", names, "-shard", f"{shard}/{shards}", "-out", out], check=True)


SparkSession.builder.getOrCreate().sparkContext.parallelize(range(shards), shards).foreach(run)
