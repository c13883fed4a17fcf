// What is done with files over there: a small script for a POSIX shell each, with what GNU and busybox have in common. They need Linux
// (`/proc`), and stat -c, readlink, dd, mv -T, mkdir, chmod, chown, df. Why something failed is found by looking, not by the words of a message.

const look = `
export LC_ALL=C
fail() { echo "$1" >&2; exit 99; }
# Is there anything, a link that leads nowhere included?
any() { [ -e "$1" ] || [ -L "$1" ]; }
folder() { [ -d "$1" ] && ! [ -L "$1" ]; }
# Why a path leads to nothing: the first thing on the way that is not as it should be. $2 links were followed so far.
why() {
  [ "$2" -lt 40 ] || fail ELOOP
  at= rest=\${1#/}/
  while [ -n "$rest" ]; do
    name=\${rest%%/*} rest=\${rest#*/}
    [ -n "$name" ] || continue
    [ \${#name} -le 255 ] || fail ENAMETOOLONG
    [ -d "$at/" ] || fail ENOTDIR
    [ -x "$at/" ] || fail EACCES
    at=$at/$name
    [ -e "$at" ] && continue
    [ -L "$at" ] || fail ENOENT
    to=$(readlink -n "$at"; echo .) to=\${to%.}
    case $to in /*) ;; *) to=\${at%/*}/$to ;; esac
    why "$to" $(($2 + 1))
  done
  # It is there by now.
  fail EAGAIN
}
# Why nothing can be made under a path.
no_room() {
  any "$1" && fail EEXIST
  up=\${1%/*}/ name=\${1##*/}
  [ \${#name} -le 255 ] || fail ENAMETOOLONG
  [ -d "$up" ] || why "$up." 0
  [ -w "$up" ] || fail EACCES
  full "$up"
}
full() {
  [ "$(df -P "$1" | tail -n 1 | tr -s ' ' | cut -d ' ' -f 4)" != 0 ] || fail ENOSPC
  fail EIO
}
numbers='%f %s %Y %h %d:%i %u %g %y'
`

const script = (text: string): string => look + text

const stat = script(`stat -L -c "$numbers" "$1" 2>/dev/null || why "$1" 0`)
const lstat = script(`stat -c "$numbers" "$1" 2>/dev/null || why "$1" 0`)

const realpath = script(`
[ -e "$1" ] || why "$1" 0
readlink -f -n "$1"`)

const readlink = script(`
[ -L "$1" ] && { readlink -n "$1"; exit; }
[ -e "$1" ] && fail EINVAL
why "$1" 0`)

/** A letter for the kind, the name, a NUL. */
const list = script(`
[ -e "$1" ] || why "$1" 0
[ -d "$1" ] || fail ENOTDIR
[ -r "$1" ] || fail EACCES
for at in "$1"/* "$1"/.[!.]* "$1"/..?*; do
  if [ -L "$at" ]; then kind=l
  elif [ -f "$at" ]; then kind=f
  elif [ -d "$at" ]; then kind=d
  elif [ -p "$at" ]; then kind=p
  elif [ -S "$at" ]; then kind=s
  elif [ -c "$at" ] || [ -b "$at" ]; then kind=c
  elif [ -e "$at" ]; then kind=o
  else continue; fi
  printf '%s%s\\0' $kind "\${at##*/}"
done`)

/**
 * The numbers of a file and block number $2 of it ($3 is 1, or 0 for none), both of the very same file: it is opened once. What is no
 * file is not opened at all.
 */
const read = script(`
[ -e "$1" ] || why "$1" 0
[ -f "$1" ] || { stat -L -c "$numbers" "$1"; exit; }
[ -r "$1" ] || fail EACCES
{ stat -L -c "$numbers" /proc/self/fd/0 && dd bs=1048576 skip="$2" count="$3" 2>/dev/null; } <"$1"`)

/** Tells which file it has made. */
const create = script(`
any "$1" && fail EEXIST
set -C
{ stat -L -c %d:%i /proc/self/fd/3; } 2>/dev/null 3>"$1" || no_room "$1"`)

/** The content comes in. $2: the file that was made, $3: bytes, $4: mode, $5: owner. */
const write = script(`
[ -f "$1" ] && [ "$(stat -L -c %d:%i "$1")" = "$2" ] || fail ESTALE
{
  [ "$(stat -L -c %d:%i /proc/self/fd/3)" = "$2" ] || fail ESTALE
  dd bs=65536 conv=fsync 2>/dev/null >&3 && [ "$(stat -L -c %s /proc/self/fd/3)" = "$3" ] || full "$1"
  if [ -n "$4" ]; then
    chown "$5" /proc/self/fd/3 2>/dev/null
    chmod "$4" /proc/self/fd/3 2>/dev/null || fail EPERM
  fi
} 3<>"$1"`)

const rename = script(`
any "$1" || why "$1" 0
[ -d "\${2%/*}/" ] || why "\${2%/*}/." 0
if folder "$1"; then any "$2" && ! folder "$2" && fail ENOTDIR
else folder "$2" && fail EISDIR; fi
# To another file system it would be copied, which is no single step.
[ "$(stat -L -c %d "\${1%/*}/")" = "$(stat -L -c %d "\${2%/*}/")" ] || fail EXDEV
mv -f -T "$1" "$2" 2>/dev/null && exit
# That of busybox does not take the place of a link to a folder.
[ -L "$2" ] && rm -f "$2" 2>/dev/null && mv -f -T "$1" "$2" 2>/dev/null && exit
[ -w "\${1%/*}/" ] && [ -w "\${2%/*}/" ] || fail EACCES
fail EPERM`)

const remove = script(`
any "$1" || why "$1" 0
folder "$1" && fail EISDIR
rm -f "$1" 2>/dev/null && exit
[ -w "\${1%/*}/" ] || fail EACCES
fail EPERM`)

const makeFolder = script(`
mkdir -p "$1" 2>/dev/null && exit
at=$1
while [ -n "$at" ] && ! any "$at"; do at=\${at%/*}; done
[ "$at" = "$1" ] && fail EEXIST
name=\${1#"$at/"} name=\${name%%/*}
[ \${#name} -le 255 ] || fail ENAMETOOLONG
[ -d "$at/" ] || fail ENOTDIR
[ -w "$at/" ] || fail EACCES
full "$at/"`)

const checkWritable = script(`
[ -w "$1" ] && exit
[ -e "$1" ] && fail EACCES
why "$1" 0`)

export const fileScripts = { stat, lstat, realpath, readlink, list, read, create, write, rename, remove, makeFolder, checkWritable }
