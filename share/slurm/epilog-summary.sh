#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Mails a page about the I/O of a job that has ended to who ran it. In slurm.conf: EpilogSlurmctld=/usr/share/fathom/slurm/epilog-summary.sh
# Needs SLURM_JOB_ID and SLURM_JOB_USER, which Slurm sets. What can be set here or in the environment:
#   FATHOM_STORE             the store (default /var/lib/fathom/store)
#   FATHOM_SUMMARY_DELAY     seconds to wait for the last counters and the job's record (default 180)
#   FATHOM_SUMMARY_MIN       shorter jobs are not worth a mail, in seconds (default 600)
#   FATHOM_SUMMARY_DOMAIN    mails go to USER@DOMAIN (default: to USER)
#   FATHOM_SUMMARY_SACCT     no: the job log comes into the store in another way (default: sacct is asked for this job)
#   FATHOM_SUMMARY_WAIT      yes: wait until it is done (for tests)
# It never fails: a job must not be held because of a mail. What goes wrong is in the system's log.
set -eu
PATH=${PATH:-/usr/local/bin:/usr/bin:/bin}
export PATH

job=${SLURM_JOB_ID:-}
user=${SLURM_JOB_USER:-}
store=${FATHOM_STORE:-/var/lib/fathom/store}
delay=${FATHOM_SUMMARY_DELAY:-180}
shortest=${FATHOM_SUMMARY_MIN:-600}
domain=${FATHOM_SUMMARY_DOMAIN:-}
ask=${FATHOM_SUMMARY_SACCT:-yes}
wait=${FATHOM_SUMMARY_WAIT:-no}

complain() {
  logger -t fathom-summary -- "job ${job:-?}: $1" 2>/dev/null || echo "fathom-summary: job ${job:-?}: $1" >&2
}

summary() {
  sleep "$delay"
  folder=$(mktemp -d) || { complain "no temporary folder"; return 0; }
  if [ "$ask" = yes ] && command -v sacct >/dev/null 2>&1; then
    # A job's name may hold line ends that look like jobs of others: only sacct's own lines have this word between their columns.
    word=$(od -An -N12 -tx1 /dev/urandom 2>"$folder/trouble" | tr -d ' \n')
    if [ "${#word}" -ne 24 ]; then
      complain "no random word, so that sacct is not asked: $(cat "$folder/trouble")"
    elif TZ=UTC sacct --jobs "$job" --allocations --parsable2 --delimiter="|$word|" --format=JobIDRaw,User,Partition,Submit,Start,End,State,NNodes,Timelimit,NodeList,JobName >"$folder/sacct.txt" 2>"$folder/trouble"; then
      fathom --quiet ingest "$store" "$folder/sacct.txt" --as slurm_sacct 2>"$folder/trouble" || complain "$(cat "$folder/trouble")"
    else
      complain "sacct: $(cat "$folder/trouble")"
    fi
  fi
  if fathom --quiet summary "$store" --job "$job" --format json -o "$folder/json" 2>"$folder/trouble"; then
    length=$(awk -F'[:,]' '/^  "start"/ { start = $2 } /^  "end"/ { end = $2 } END { printf "%d", end - start }' "$folder/json")
    if [ "$length" -ge "$shortest" ] && fathom --quiet summary "$store" --job "$job" -o "$folder/page" 2>"$folder/trouble"; then
      mail -s "I/O of job $job" "$user${domain:+@$domain}" <"$folder/page" 2>"$folder/trouble" || complain "mail: $(cat "$folder/trouble")"
    fi
  else
    complain "$(cat "$folder/trouble")"
  fi
  rm -rf "$folder"
}

case "$job" in
  '' | *[!0-9_]*) complain "SLURM_JOB_ID is not a job's number: no summary"; exit 0 ;;
esac
case "$user" in
  '' | -* | *[!A-Za-z0-9._-]*) complain "SLURM_JOB_USER is not a user's name: no summary"; exit 0 ;;
esac
case "$delay$shortest" in
  *[!0-9]*) complain "FATHOM_SUMMARY_DELAY and FATHOM_SUMMARY_MIN are whole seconds: no summary"; exit 0 ;;
esac
if [ "$wait" = yes ]; then summary || complain "it failed"
else summary </dev/null >/dev/null 2>&1 &
fi
exit 0
