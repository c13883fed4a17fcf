import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localLookups as look } from '../../../src/host/local-files.ts'
import { isOnHardList } from '../../../src/toolkit/command/hard-list.ts'
import { flagsAtOnce } from '../../support/flags.ts'
import { shell } from '../../../src/toolkit/index.ts'

let base: string
let workspace: string
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'toolkit-test-')))
  workspace = join(base, 'app')
  await mkdir(join(workspace, 'src'), { recursive: true })
  await mkdir(join(base, 'app-secret'))
  await symlink(join(base, 'app-secret'), join(workspace, 'out'))
})
afterAll(() => rm(base, { recursive: true }))

const judge = (command: string): boolean => isOnHardList(command, { look, cwd: workspace, workspace, home: '/home/me' })

describe('asks', () => {
  // oxfmt-ignore
  test.each([
    // removing
    'rm -rf /', 'rm -rf /*', 'rm -rf ~', 'rm -fr ~/', 'rm -rf "$HOME"', 'rm -rf ${HOME}/x', 'rm -rf ..', 'rm -rf ../app', 'rm -rf ../app-secret', 'rm -rf .', 'rm -rf *', 'rm -rf ./*', 'rm -rf "$DIR"', 'rm -rf "$DIR"/*', 'rm -rf $(cat list)', 'rm -rf `cat list`', 'rm ../{a,b}', 'rm -rf -- /etc', 'rm -r out/', 'rm -rf out/*', 'rmdir /x', 'shred /etc/passwd', 'mv /etc/passwd .', 'mv src /tmp', 'find / -name x -delete', 'find /home -exec rm {} \\;', 'find src -exec rm -rf / \\;', 'ls | xargs rm',
    // overwriting
    'echo x > /etc/passwd', 'echo x >> ~/.bashrc', 'echo x >| /etc/x', 'echo x &> /etc/x', 'x 2>/etc/x', '>/etc/passwd', 'cp a /etc/', 'cp a ~/b', 'cp -t /etc a', 'tee /etc/x', 'ls | tee -a ~/.profile', 'echo x > ../app-secret/y', 'echo x > out/y', 'sed -i s/a/b/ /etc/hosts', 'truncate -s0 /var/log/x', 'chmod -R 777 /', 'chown -R me ~', 'ln -sf a /usr/bin/a',
    // disks, the machine, others' history
    'dd if=/dev/zero of=/dev/sda', 'mkfs.ext4 /dev/sda1', 'mkfs /dev/sda', 'wipefs -a /dev/sda', 'cat x > /dev/sda', 'shutdown now', '/sbin/reboot', 'init 0', 'systemctl poweroff', 'kill -9 -1', ':(){ :|:& };:', 'f(){ f|f& };f', 'crontab -r',
    'git push --force', 'git push -f origin main', 'git push -uf', 'git push --force-with-lease', 'git push origin +main', 'git push origin :main', 'git push --delete origin x', 'git push --mirror', 'git -C /r push -f', 'git -c a.b=c push --force', 'cd /r && git push -f', 'X=1 git push -f', 'command git push -f', 'git checkout -f',
    // hidden
    'echo a; rm -rf /', 'echo a\nrm -rf /', 'true && rm -rf /', 'false || rm -rf /', 'true & rm -rf /', 'a | rm -rf /', '(rm -rf /)', '{ rm -rf /; }', 'if true; then rm -rf /; fi', 'for i in 1; do rm -rf /; done', '! rm -rf /', 'echo $(rm -rf /)', 'echo "$(rm -rf /)"', 'echo `rm -rf /`', 'echo ${x:-$(rm -rf /)}', 'cat <(rm -rf /)', 'f() { rm -rf /; }; f',
    'sudo rm -rf /', 'sudo -u root rm -rf /', 'env X=1 rm -rf /', 'nohup nice -n 5 rm -rf /', 'timeout 5 rm -rf /', 'time rm -rf /', '/bin/rm -rf /', '\\rm -rf /', 'r""m -rf /', "'rm' -rf /", 'rm -r""f "/"',
    'sh -c "rm -rf /"', "bash -lc 'echo a; rm -rf /'", 'eval "rm -rf /"', 'sudo sh -c "rm -rf /"', 'bash <<E\nrm -rf /\nE', 'bash <<< "rm -rf /"', 'cat <<E\n$(rm -rf /)\nE', 'echo "rm -rf /" | sh', 'curl x | sudo bash -s',
    "cat <<'E'\ndon't\nE\nrm -rf ~", 'cd / && rm -rf etc', 'cd "$X"; rm -rf build', 'cd ..; rm -rf app-secret', 'cd nowhere; cd ../..; rm -rf x', 'cd out && rm -rf x', 'pushd /etc; rm x', '#c\nrm -rf /',
    // cannot be taken apart
    'echo "open', "echo 'open", 'echo $(open', 'cat <<E\nopen', 'sh -c "sh -c "sh -c "',
  ])('%j', (command) => {
    expect(judge(command)).toBe(true)
  })
})

describe('does not ask', () => {
  // oxfmt-ignore
  test.each([
    'ls -la', 'rm -rf build', 'rm -rf src/*', 'rm *.log', 'rm -rf ./node_modules dist', 'rm out', 'rm -rf "$PWD/build"', 'mv src lib', 'cp /etc/hosts .', 'cp -r src ../app/copy', 'find . -name "*.pyc" -delete', 'find src -exec rm {} \\;',
    'echo x > a.txt', 'make > /dev/null 2>&1', 'echo x >&2', 'x 2>&1 | tee log', 'cat < /etc/passwd', 'echo "rm -rf /"', "echo 'rm -rf /'", 'grep -r "rm -rf /" src', "cat > run.sh <<'E'\nrm -rf /\nE", '# rm -rf /', 'echo a # > /etc/x', 'echo $((1 << 2))', 'echo "a > b"', 'sed -n 1p /etc/hosts', 'chmod +x run.sh',
    'git push', 'git push -u origin main', 'git push --follow-tags', 'git push --dry-run', 'git commit -m "push --force"', 'kill -9 123', 'kill -1 123', 'cd src && rm x.js', 'cd src; ls', 'bash run.sh', 'sh -c "ls"', 'npm run build', 'sudo ls', 'X=1 make', 'init', 'echo mkfs', 'python3 - <<E\nprint("x")\nE', 'for f in *.ts; do wc -l "$f"; done', 'case $x in a) echo 1;; *) echo 2;; esac', 'echo $(( x > 3 ))', '[[ a < b ]] && echo y',
  ])('%j', (command) => {
    expect(judge(command)).toBe(false)
  })
})

test('the tool judges from the folder that it is in', async () => {
  const run = shell({ workspace })
  const isDestructive = (command: string): boolean => flagsAtOnce(run, { command }).destructive
  expect([isDestructive('rm x'), isDestructive('rm ../x')]).toEqual([false, true])
  await run({ command: 'cd src' })
  expect([isDestructive('rm x'), isDestructive('rm ../x'), isDestructive('rm ../../x')]).toEqual([false, false, true])
  await run({ command: 'cd /' })
  expect([isDestructive('rm x'), isDestructive('ls')]).toEqual([true, false])
})

test.each([
  '${',
  '$(',
  '"',
  'a',
  'sudo ',
  'sudo x ',
  'sudo rm a ',
  'rm a ',
  'cd a;',
  'rm ../a;',
  '{',
  '{,',
  '{a..',
  ' ',
  '`',
  '\\',
  '<<a ',
  '<<a;',
  ';',
  '(',
  '>a ',
  "$'a",
  'eval ',
  'sh -c ',
  'f(){ ',
  'a*/',
  '../',
])('120,000 characters of %j are judged in bounded time', { timeout: 10_000 }, (part) => {
  const command = part.repeat(Math.ceil(120_000 / part.length)).slice(0, 120_000)
  expect(typeof judge(command)).toBe('boolean')
})
