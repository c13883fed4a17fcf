/** What any program needs, and holds no secret. */
const needed = /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|TMP|TEMP|XDG_[A-Z]+_(HOME|DIR))$/
const neededOnWindows =
  /^(APPDATA|LOCALAPPDATA|COMSPEC|HOMEDRIVE|HOMEPATH|PATHEXT|PROCESSOR_ARCHITECTURE|PROGRAMDATA|PROGRAMFILES(\(X86\))?|SYSTEMDRIVE|SYSTEMROOT|USERNAME|USERPROFILE|WINDIR)$/i

/** The environment of a server: what any program needs, and what is named for it. */
export function environmentOf(
  parent: Readonly<Record<string, string | undefined>>,
  named: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(parent))
    // A value that begins like this is a shell function, and would be run by a shell that reads it.
    if (value !== undefined && !value.startsWith('()') && (needed.test(name) || neededOnWindows.test(name))) environment[name] = value
  return { ...environment, ...named }
}
