import { linkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Said } from './judge.ts'
import { judgeIn, makePlace } from './judge.ts'

const place = makePlace()
afterAll(place.remove)
beforeAll(() => {
  writeFileSync(join(place.base, 'shared'), 'shared')
  linkSync(join(place.base, 'shared'), join(place.workspace, 'src', 'hard'))
})
const { workspace, base } = place

type Row = readonly [trigger: string, rules: readonly string[], command: string, said: Said]
const allowed = ['allow shell(npm *)', 'allow shell(cargo check*)', 'allow shell(echo *)', 'allow shell(find *)']
const denied = ['deny shell(git push*)', 'deny shell(curl*)']

describe('command lines', () => {
  // oxfmt-ignore
  test.each<Row>([
    ['an argument that closes its quote', allowed, `echo "x"; touch y; echo "z"`, 'ask'],
    ['an argument that closes its quote with a substitution', allowed, `echo "$(touch y)"`, 'ask'],
    ...['&&', ';', '||', '|', '&', '\n', '|&', ' &\n'].map((joint): Row => [`allowed ${JSON.stringify(joint)} not allowed`, allowed, `npm test ${joint} touch y`, 'ask']),
    ...['>', '>>', '>|', '&>', '&>>', '<>', '2>', '{fd}>'].map((form): Row => [`allowed, and ${form} to a file`, allowed, `cargo check ${form} out.txt`, 'ask']),
    ['allowed, and a start-up file overwritten', allowed, 'cargo check > ~/.zshrc', 'ask'],
    ['a redirection behind a negation', allowed, '! npm test > x', 'ask'],
    ['a redirection of a group', allowed, '{ npm test; } > x', 'ask'],
    ...['ping -c1 x.example', 'nslookup x.example', 'host x.example', 'dig x.example', 'curl x.example', 'cat < /dev/tcp/x.example/80'].map((command): Row => ['what reaches the network does not only read', [], command, 'ask']),
    ...[`sed 'w out' f`, `sed -n '1e touch y' f`, `sed -i s/a/b/ f`, `sed -n 's/a/b/w out' f`, `sed -n -e 1p -e 'w out' f`].map((command): Row => ['sed that writes or runs', [], command, 'ask']),
    ...['sort -o out f', 'sort --output=out f', 'find . -fprint out', 'find . -delete', 'git diff --output=out', 'git log --output=out', 'tee out', 'uniq f out', 'date -s 0', 'tree -o out', 'file -C -m f'].map((command): Row => ['a reader that writes', [], command, 'ask']),
    ...['find . -exec touch y {} +', `awk 'BEGIN{system("touch y")}'`, 'git grep -Otouch x', 'git -c core.fsmonitor=touch status', 'git -c alias.z=!touch z', 'git --exec-path=d foo', 'git ls-remote --upload-pack=touch .', 'rg --pre=touch x', 'rg --pre touch x', 'rg -z x', 'ls | xargs touch', 'tar --to-command=touch -xf f', 'less f', 'sort --compress-program=touch f', 'man -P touch ls', 'node --require ./x -v'].map((command): Row => ['a reader that runs a program', [], command, 'ask']),
    ...['BASH_ENV=x ls', 'NODE_OPTIONS=x node -v', 'RIPGREP_CONFIG_PATH=x rg y', 'LD_PRELOAD=x ls', 'PATH=. ls', 'GIT_EXTERNAL_DIFF=x git diff', 'GIT_DIR=x git status', 'export PATH=.; ls', 'declare -x PATH=.; ls', 'IFS=x; ls', 'for PATH in .; do ls; done', ': ${PATH:=.}; ls', 'PATH+=.; ls', 'read PATH < f; ls', 'printf -v PATH .; ls'].map((command): Row => ['a variable that changes what runs', [], command, 'ask']),
    ...['PATH=. npm test', 'NODE_OPTIONS=--require=./x npm test', 'npm_config_script_shell=./x npm test', 'LD_PRELOAD=./x npm test', 'export PATH=.; npm test', 'alias npm=touch; npm test'].map((command): Row => ['the same before what is allowed', allowed, command, 'ask']),
    ...['git${IFS}push', 'git pu{sh,ll}', '{git,push}', 'g""it push', 'git \\push', `'git' push`, `$'git' push`, `git $'push'`, 'g\\it push', '/usr/bin/git push', 'git -C . push', 'git -c a.b=c push', 'git --no-pager push'].map((command): Row => ['a denied command in disguise', denied, command, command.includes('IFS') ? 'ask' : 'deny']),
    ...['env X=1 git push', 'sudo git push', 'sudo -u x git push', 'watch git push', 'find . -exec git push \\;', 'X=1 git push', 'timeout 5 git push', 'nohup nice git push', 'command git push', 'exec git push', 'busybox git push', 'setsid git push', 'flock f git push', 'ls | xargs git push', 'time git push', '! git push', 'env -S "git push"', 'unknown-wrapper; git push'].map((command): Row => ['a denied command behind a wrapper', denied, command, 'deny']),
    ...['sh -c "git push"', 'bash -lc "git push"', 'eval git push', 'eval "git" "push"', 'sh -c "sh -c \'git push\'"', 'trap "git push" EXIT', 'bash <<< "git push"', 'bash <<E\ngit push\nE', 'echo $(git push)', 'echo `git push`', 'cat <(git push)', 'cat <<E\n$(git push)\nE', 'f() { git push; }; f', 'coproc git push', 'if git push; then :; fi', 'while git push; do :; done', 'case x in x) git push;; esac', '(git push)', '{ git push; }', '[[ -n $(git push) ]]', 'echo $((1+$(git push)))', 'x=$(git push)', 'a[$(git push)]=1', 'echo ${x:-$(git push)}', 'alias p="git push"', 'select x in 1; do git push; done', '# x\ngit push', 'echo x \\\n; git push'].map((command): Row => ['a denied command inside another', denied, command, 'deny']),
    ...['X=push; git $X', 'git "$@"', '$G push', '"$@"', 'eval "$X"', 'sh -c "$X"', 'echo git push | sh', 'git $(echo push)', 'git pu{sh,$X}', '$(echo git) push', 'xargs git < list', 'bash -s < x', 'source <(echo git push)', 'git @(push)'].map((command): Row => ['a command that cannot be told, with a rule that may speak of it', denied, command, 'ask']),
    ...["printf -v 'a[$(touch y)]' x", "x='a[$(touch y)]'; [[ $x -eq 1 ]]", "[[ 'a[$(touch y)]' -eq 1 ]]", "test -v 'a[$(touch y)]'", 'echo "${x@P}"'].map((command): Row => ['code in a subscript or a prompt', [], command, 'ask']),
    ...['echo "open', 'echo $(open', 'if true', 'case x in', 'cat <<E\nopen', 'echo )', 'ls; }', 'ls\0', 'ls\r\nls'].map((command): Row => ['what is no script of bash', ['allow shell'], command, 'ask']),
    ...['find . ! -name -- -delete', 'find -- . -delete', 'rg -e -- --pre=touch x', 'tree -I -- -o new', 'git log -S -- --output=new', 'sort -t -- -o new f', 'timeout 5 time -v -o new ls'].map((command): Row => ['an option behind what only looks like the end of them', [], command, 'ask']),
    ...['uniq src/*', 'sort *.ts', 'tree *.txt', 'rg x *.ts', 'git diff *.ts', 'git log *.ts'].map((command): Row => ['a file that is named as an option, or is a second operand', [], command, 'ask']),
    ...['echo $((x))', '(( x ))', '[[ $x -eq 1 ]]', '[[ x -eq 1 ]]', '[[ -v $x ]]', 'echo ${a[x]}', 'echo ${a[$x]}', 'echo ${y:x}', 'echo ${y:1:x}', 'a[x]=1', 'a=([x]=1)', 'y=x; echo $((y))', 'echo ${!x}', 'for ((i=x;i<1;i++)); do :; done', 'cat <<E\n$((x))\nE'].map((use): Row => ['a value that bash may run when it works it out', [], `x=$(printf 'a[%s(touch y)]' '$'); ${use}`, 'ask']),
    ...["x='a[$'; x+='(touch y)]'; echo $((x))", "x='a[$'; y='(touch y)]'; z=$x$y; echo $((z))", 'for x in $(cat f); do echo $((x)); done', 'for x in *; do echo $((x)); done', 'echo $(( $(cat f) ))', '[[ $(cat f) -eq 1 ]]', 'echo $(( $1 ))', ": 'a[$(touch y)]'; echo $((_))", "[[ 'a[$(touch y)]' =~ .* ]]; echo $((BASH_REMATCH))", ': ${x:=$(cat f)}; echo $((x))', 'set -- "$(cat f)"; echo $(($1))', 'while read x; do echo $((x)); done < f', `printf -v x '%s' "$(cat f)"; echo $((x))`, 'x=(*); echo $((x))'].map((command): Row => ['the same by another way', [], command, 'ask']),
    ...['i=0; for f in *; do i=$((i+1)); done; echo $i', 'x=5; echo $((x * 2)) ${#x}', 'for ((i=0;i<3;i++)); do echo $i; done', 'for i in 1 2 3; do printf "%d\n" $((i*2)); done', '[[ $# -eq 0 ]]', 'x=abc; echo ${x:1:2} ${x:0:$((1+1))}', 'grep -n -- x src/plain.txt', 'git diff --stat -- src', 'cat -- src/plain.txt', 'wc -l *.ts', 'uniq src/plain.txt', 'time -p ls', 'x=$(cat src/plain.txt); echo "$x"', 'a=(1 2); echo ${a[0]} ${a[@]} ${!a[@]}'].map((command): Row => ['what only reads, and looks like that', [], command, 'allow']),
    ['a rule at a word boundary', ['allow shell(npm run *)'], 'npm runner', 'ask'],
    ['an allow rule for find covers nothing that find runs', allowed, 'find . -exec touch y \\;', 'ask'],
    ['more commands than are looked at', [...denied, 'allow shell(true*)'], `${'true; '.repeat(3000)}git push`, 'ask'],
    ['cd before git: another repository', [], 'cd src && git status', 'ask'],
    ['cd, then a relative path outside', [], 'cd src; cat ../../app-secret/key', 'ask'],
    ['a folder that only begins as the workspace does', [], 'cat ../app-secret/key', 'ask'],
    ['a link out of the workspace', [], 'cat out/key', 'ask'],
    ['an option that names a file outside', [], 'grep -f/etc/passwd x', 'ask'],
    ['a home folder', [], 'cat ~/.ssh/id_rsa', 'ask'],
    ['a name in a variable', [], 'cat "$HOME/.ssh/id_rsa"', 'ask'],
    ['a denied file read by a command', ['deny read_file(src/secret.txt)'], 'cat src/secret.txt', 'deny'],
    ['a denied file written by a redirection', ['deny write_file(src/**)'], 'echo x > src/new', 'deny'],
    ['removing the home folder in bypass', ['allow shell'], 'rm -rf ~', 'ask'],
    ['a variable that may be empty', ['allow shell'], 'rm -rf "$DIR"/*', 'ask'],
  ])('%s: %j %j', async (_, rules, command, said) => {
    expect(await judgeIn(workspace, { rules })('shell', { command })).toBe(said)
  })

  test('what settings of the repository run', async () => {
    const judge = judgeIn(workspace)
    expect(await judge('shell', { command: 'git status' })).toBe('allow')
    writeFileSync(join(workspace, '.git', 'config'), '[core]\n\tfsmonitor = ./x\n')
    expect(await judge('shell', { command: 'git status' })).toBe('ask')
    writeFileSync(join(workspace, '.git', 'config'), '[core]\n\tbare = false\n')
    expect(await judge('shell', { command: 'git status' })).toBe('allow')
  })
})

describe('files and addresses', () => {
  // oxfmt-ignore
  test.each<readonly [string, readonly string[], string, Record<string, string>, Said]>([
    ['a folder that only begins as the workspace does', [], 'read_file', { path: join(base, 'app-secret', 'key') }, 'ask'],
    ['a link to a denied file', ['deny read_file(src/secret.txt)'], 'read_file', { path: 'docs/link' }, 'deny'],
    ['a denied file shown by a search', ['deny read_file(src/secret.txt)'], 'grep', { pattern: '.', path: 'src/secret.txt' }, 'deny'],
    ['a denied folder shown by a search', ['deny read_file(src/**)'], 'grep', { pattern: '.', path: './src/../src' }, 'deny'],
    ['a file that is denied to be written is searched', ['deny write_file(src/**)'], 'grep', { pattern: '.', path: 'src' }, 'allow'],
    ['the whole system by a link of the kernel', [], 'read_file', { path: '/proc/self/root/etc/passwd' }, 'ask'],
    ['a folder outside in other words', [], 'list_dir', { path: `/proc/self/root${base}/app-secret` }, 'ask'],
    ['a new file in a linked folder', ['allow write_file'], 'write_file', { path: 'out/new' }, 'ask'],
    ['a link that leads nowhere yet', ['allow write_file'], 'write_file', { path: 'dangling' }, 'ask'],
    ['a file with a second name', [], 'write_file', { path: 'src/hard' }, 'ask'],
    ['another case of a denied name', ['deny read_file(src/secret.txt)'], 'read_file', { path: 'SRC/Secret.TXT' }, 'deny'],
    ['a way around by ..', ['deny read_file(src/secret.txt)'], 'read_file', { path: 'docs/../src/./secret.txt' }, 'deny'],
    ...['.git/config', '.git/hooks/post-commit', '.GIT/config', '.env', '.env.local', '.npmrc', '.mcp.json', '.vscode/tasks.json', '.husky/pre-commit', '.lena/settings.json', '.bashrc', 'src/.envrc', '.hg/hgrc', '.claude/settings.json', '.cursor/mcp.json', '.devcontainer/devcontainer.json', '.cargo/config.toml', '.yarn/releases/yarn.cjs', '.pnp.cjs', 'bunfig.toml', '.pre-commit-config.yaml', 'lefthook.yml', '.mise.toml', '.exrc', '.gdbinit', '.xprofile', '.curlrc', '.g\u200cit/hooks/pre-commit', '.bash\u200brc'].map((path) => ['what decides on later runs', [], 'write_file', { path }, 'ask'] as const),
    ['a host that begins as a trusted one', ['allow web_fetch(https://trusted.example/*)'], 'web_fetch', { url: 'https://trusted.example.evil.test/x' }, 'ask'],
    ['a trusted host before an @', ['allow web_fetch(https://trusted.example/*)'], 'web_fetch', { url: 'https://trusted.example@evil.test/' }, 'ask'],
    ['a trusted host in the path', ['allow web_fetch(https://*.trusted.example/*)'], 'web_fetch', { url: 'https://evil.test/x.trusted.example/' }, 'ask'],
    ['a denied host with a dot at its end', ['deny web_fetch(https://evil.test/*)'], 'web_fetch', { url: 'https://evil.test./x' }, 'deny'],
    ['a denied host at another port', ['deny web_fetch(https://evil.test/*)'], 'web_fetch', { url: 'https://evil.test:8443/x' }, 'deny'],
    ['a denied host behind a name and a password', ['deny web_fetch(https://evil.test/*)'], 'web_fetch', { url: 'https://good.example:x@evil.test/x' }, 'deny'],
    ['a denied host in a rule without a scheme', ['deny web_fetch(evil.test)'], 'web_fetch', { url: 'http://evil.test/x' }, 'deny'],
    ['a denied host by its subdomains', ['deny web_fetch(*.evil.test)'], 'web_fetch', { url: 'http://a.b.evil.test/x' }, 'deny'],
    ['a denied host in other letters', ['deny web_fetch(evil.test)'], 'web_fetch', { url: 'http://ｅｖｉｌ.test/x' }, 'deny'],
    ['a denied address in another form', ['deny web_fetch(127.0.0.1)'], 'web_fetch', { url: 'http://0x7f.1/x' }, 'deny'],
    ['what is no address, with a rule that may speak of it', ['deny web_fetch(evil.test)'], 'web_fetch', { url: 'evil.test/x' }, 'ask'],
    ['a denied host in capitals', ['deny web_fetch(https://evil.test/*)'], 'web_fetch', { url: 'HTTPS://EVIL.test/x' }, 'deny'],
  ])('%s: %j %s %j', async (_, rules, name, input, said) => {
    expect(await judgeIn(workspace, { rules, mode: 'accept_edits' })(name, input)).toBe(said)
  })

  test('an allow rule for a folder does not reach through a link in it', async () => {
    const judge = judgeIn(workspace, { rules: ['allow write_file(docs/**)'] })
    expect([await judge('write_file', { path: 'docs/link' }), await judge('write_file', { path: 'docs/new' })]).toEqual(['ask', 'allow'])
  })
})

describe('modes', () => {
  test.each<readonly [string, Parameters<typeof judgeIn>[1], string, Said]>([
    ['plan with an allow rule', { mode: 'plan', rules: ['allow shell'] }, 'touch y', 'deny'],
    ['a deny rule in bypass', { mode: 'bypass', rules: denied }, 'git push', 'deny'],
    ['an ask rule in bypass', { mode: 'bypass', rules: ['ask shell(npm publish*)'] }, 'npm publish', 'ask'],
    ['the hard list in bypass', { mode: 'bypass', rules: ['allow shell'] }, 'rm -rf /', 'ask'],
    ['no rules at all', { rules: [] }, 'touch y', 'ask'],
  ])('%s', async (_, options, command, said) => {
    expect(await judgeIn(workspace, options)('shell', { command })).toBe(said)
  })
})
