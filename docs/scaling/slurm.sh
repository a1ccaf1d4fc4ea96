#!/bin/bash
# sbatch docs/scaling/slurm.sh: 64 shards, at most 16 at one time.
#SBATCH --array=0-63%16
#SBATCH --cpus-per-task=4
#SBATCH --mem=2G
#SBATCH --time=04:00:00
#SBATCH --requeue
exec detect -list "${LIST:-names.txt}" -shard "$SLURM_ARRAY_TASK_ID/64" -out "${OUT:-out}" -workers "${SLURM_CPUS_PER_TASK:-4}"
