// How commands are run over there, for bash 4.4 or later, on Linux.

/** Prints the processes that have inherited a mark, wherever they moved, each with all of its marks. */
const marked = `
marked() {
  local at vars each
  for at in /proc/[0-9]*; do
    { mapfile -d '' -t vars <"$at/environ"; } 2>/dev/null || continue
    for each in "\${vars[@]}"; do
      [[ $each == LENA_AGENT_JOB=*"$1"* ]] && echo "\${at#/proc/} \${each#*=}"
    done
  done
}
`

/**
 * Starts a command in a process group of its own, and tells how it goes on the second stream. Arguments: a word that nobody else says, the
 * mark of all commands, 1 if the folder at the end is to be told, 1 if there are jobs from before. On its input, each with a NUL
 * behind it: the folder, the command, and its environment. There they may be long, and nobody else sees them in a list of processes.
 */
export const launch = `${marked}
LC_ALL=C
word=$1 session=$2 tells=$3 jobs=$4
tell() { printf '%s %s\\0' "$word" "$*" >&2; }
while IFS= read -r -d '' each; do given+=("$each"); done
cd -- "\${given[0]}" || exit
# Both streams are one before the command begins. \`shift\` takes it out of the arguments, and \`exit\` does not skip the trap.
inner='eval "shift; $1"'
if [ "$tells" = 1 ]; then
  at=$(mktemp -d /tmp/lena.XXXXXX 2>/dev/null) && inner="trap '{ command pwd -P >|$at/folder; } 2>/dev/null' EXIT; $inner"
fi
# So bash gives each job a group of its own, and says what it has ended by. A job that is only stopped ends a \`wait\`, too.
set -m
env -i "\${given[@]:2}" "$BASH" -c "$inner" bash "\${given[1]}" </dev/null 2>&1 &
job=$!
tell began $job
while wait $job; code=$?; kill -0 $job 2>/dev/null; do sleep 0.2; done
signal=
[ $code -gt 128 ] && signal=$(kill -l $((code - 128)) 2>/dev/null)
tell ended $code $signal
if [ -n "$at" ]; then
  # The command could put something else there.
  if [ -f "$at/folder" ] && ! [ -L "$at/folder" ]; then tell folder "$(head -c 8192 "$at/folder"; echo .)"; fi
  rm -rf "$at"
fi
if [ "$jobs" = 1 ] || kill -0 -- "-$job" 2>/dev/null; then tell left "$(marked "$session")"; fi
tell over
`

/** Sends a signal to a process group, if one is given, and to all with a mark, each once; SIGKILL until nobody is left. Says if there was anybody with it. */
export const signal = `${marked}
signal=$1 mark=$2 group=$3
[ -z "$group" ] || kill "-$signal" -- "-$group" 2>/dev/null
for round in 1 2 3 4 5; do
  found=
  while read -r pid _; do
    { read -r stat <"/proc/$pid/stat"; } 2>/dev/null || continue
    # Behind the name, which may have anything in it: state, parent, group.
    read -r _ _ in _ <<<"\${stat##*) }"
    [ "$signal$in" = "TERM$group" ] && continue
    found=1
    kill "-$signal" "$pid" 2>/dev/null
  done <<<"$(marked "$mark")"
  [ "$round$found" = 11 ] && echo found
  if [ -z "$found" ] || [ "$signal" != KILL ]; then break; fi
done
exit 0
`
