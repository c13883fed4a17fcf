import { has, valuesOf } from './options.ts'
import type { Word } from './words.ts'

/**
 * Does a program, called like this, destroy what lies in a service, a cluster, a database or a registry? Nobody brings it back, wherever
 * the folder is that the command runs in. What can be taken back by one more command (`systemctl stop`, `kubectl scale`, `helm rollback`),
 * or built and fetched again (images, containers, caches), does not belong here.
 */
export const destroysBeyond = (name: string, args: readonly Word[]): boolean =>
  (rules.get(name)?.some((rule) => rule(args)) ?? false) || destroysData(name, args)

/** The same of data alone, which counts inside a container, too. */
export const destroysData = (name: string, args: readonly Word[]): boolean =>
  (stores.get(name)?.(args) ?? false) ||
  losesData(
    name,
    args.flatMap(({ text }) => [text, text.replace(/^-[a-zA-Z]/, '')]),
  )

/** Does a program of a database take data away when it is given one of these texts? */
export function losesData(name: string, texts: readonly string[]): boolean {
  const pattern = clients.get(name)
  return (
    pattern !== undefined &&
    texts.some((text) =>
      pattern.test(
        withoutComments(text)
          .replace(/--[^\n]*\n/g, ' ')
          .replace(/\s+/g, ' '),
      ),
    )
  )
}

/** A comment parts two words of SQL as a space does. */
function withoutComments(text: string): string {
  const parts: string[] = []
  let at = 0
  for (let from = text.indexOf('/*'); from >= 0; from = text.indexOf('/*', at)) {
    parts.push(text.slice(at, from))
    const end = text.indexOf('*/', from + 2)
    if (end < 0) break
    at = end + 2
  }
  return [...parts, text.slice(at)].join(' ')
}

type Rule = (args: readonly Word[]) => boolean

/**
 * The words of a program up to `--`, without its options: where its subcommands stand among the values of options is not worked out. A word
 * with a space in it is no subcommand.
 */
const saidBy = (args: readonly Word[]): string => {
  const end = args.findIndex(({ text }) => text === '--')
  const words = (end < 0 ? args : args.slice(0, end)).filter(({ text }) => !text.startsWith('-'))
  return ` ${words.map(({ text }) => (/\s/.test(text) ? '_' : text)).join(' ')} `
}

/** Any of these subcommands, of one word or several. */
const says = (subcommands: string): Rule => {
  const pattern = new RegExp(` (${subcommands}) `)
  return (args) => pattern.test(saidBy(args))
}

const and =
  (one: Rule, option: RegExp): Rule =>
  (args) =>
    has(args, option) && one(args)

const unless =
  (one: Rule, option: RegExp): Rule =>
  (args) =>
    !has(args, option) && one(args)

const dry = /^--dry-?run(=(client|server|true))?$|^-n$|^--help$/

const downs = says('down|rm')
const runs = says('run|exec|create|build|cp')

/** A request by the method DELETE: `gh api -X DELETE`. */
const deletes: Rule = (args) => valuesOf(args, 'X', 'method').some(({ text }) => /^delete$/i.test(text))

const lists: readonly (readonly [names: string, ...rules: readonly Rule[]])[] = [
  [
    'docker podman nerdctl docker-compose podman-compose',
    says('volume (rm|remove|prune)|(system|container) (prune|reset)|machine (rm|reset)|stack (rm|remove|down)|secret (rm|remove)'),
    // The containers of a project with their data.
    (args) => has(args, /^(-[a-z]*v|--volumes(=true)?)$/) && downs(args) && !runs(args),
  ],
  [
    'kubectl oc k3s microk8s.kubectl',
    unless(says('delete|drain'), /^--dry-run=(client|server)$/),
    and(says('apply'), /^--prune$/),
    and(says('replace'), /^--force$/),
  ],
  ['minikube kind k3d eksctl kops', says('delete')],
  ['helm helm3', unless(says('uninstall|delete|del|un'), /^--dry-run/)],
  ['helmfile', says('destroy|delete')],
  ['terraform tofu terragrunt', says('destroy|workspace delete'), and(says('apply'), /^--?destroy$/)],
  ['pulumi cdk cdktf sst', says('destroy|stack rm|remove')],
  ['serverless sls', says('remove')],
  ['vagrant', says('destroy')],
  ['virsh', says('undefine|vol-delete|vol-wipe|pool-delete|snapshot-delete')],
  ['lxc incus multipass', says('delete|purge')],
  [
    'aws',
    unless(
      says('s3 rm|s3 rb|s3api delete-\\S+|[a-z0-9-]+ (delete|terminate|purge|destroy|deregister|schedule-key-deletion)(-\\S+)?'),
      /^--(dry-?run|generate-cli-skeleton.*)$/,
    ),
    unless(and(says('s3 sync'), /^--delete$/), /^--dryrun$/),
  ],
  ['gcloud', says('delete|destroy|storage rm')],
  ['gsutil', says('rm|rb'), and(says('rsync'), /^-[a-z]*d/)],
  ['bq', says('rm')],
  ['az', says('delete|purge|delete-batch|remove-batch')],
  ['azcopy', says('remove|rm')],
  ['doctl hcloud linode-cli flyctl fly scw civo vultr-cli exo ibmcloud oci', says('delete|destroy|rm|remove')],
  ['heroku', says('apps:destroy|destroy|pg:reset|addons:destroy|domains:clear')],
  [
    'vercel netlify railway wrangler firebase supabase neonctl turso pscale',
    says('remove|rm|delete|destroy|sites:delete|\\S+:delete|branches delete|projects delete'),
  ],
  ['supabase', and(says('db reset'), /^--(linked|db-url.*)$/)],
  ['rclone', unless(says('delete|deletefile|purge|sync|cleanup|rmdirs'), dry)],
  ['s3cmd', says('del|rm|rb|expire')],
  ['mc', says('rm|rb')],
  ['restic', unless(says('forget|prune'), dry)],
  ['borg', unless(says('delete|prune'), dry)],
  [
    'gh glab',
    says('(repo|release|secret|variable|gist|issue|run|codespace|ssh-key|gpg-key|project|workflow|deploy-key) delete|release delete-asset'),
    (args) => / api /.test(saidBy(args)) && deletes(args),
  ],
  ['npm pnpm yarn bun', unless(says('unpublish'), /^--dry-run$/)],
  ['gem', says('yank')],
  ['dotnet nuget', says('(nuget )?delete')],
  ['vault', says('delete|destroy|metadata delete|kv (delete|destroy)|secrets disable|operator seal')],
  ['consul', says('kv delete')],
  ['etcdctl', says('del|rm|rmdir')],
  ['nomad', says('delete')],
  ['rails rake', says('db:(drop|reset|purge|truncate_all|migrate:reset|schema:load)\\S*')],
  ['artisan', says('migrate:(fresh|reset|refresh)|db:wipe')],
  ['php', says('(\\S*/)?artisan (migrate:(fresh|reset|refresh)|db:wipe)')],
  ['django-admin manage.py', says('flush|reset_db|sqlflush')],
  ['python python3', says('(\\S*/)?manage\\.py (flush|reset_db)')],
  ['prisma', says('migrate reset'), and(says('db push'), /^--(force-reset|accept-data-loss)$/)],
  // What lets in, and what keeps out.
  ['iptables ip6tables iptables-legacy iptables-nft', (args) => has(args, /^(-[a-zA-Z]*F|--flush|-X|--delete-chain)$/)],
  ['nft', says('flush (ruleset|table|chain)|delete table')],
  ['ufw', says('reset')],
  ['passwd', (args) => has(args, /^(-[a-z]*d|--delete)$/)],
  ['groupdel delgroup', () => true],
  ['gpg gpg2', (args) => has(args, /^--delete-(secret-(and-public-)?)?keys?$/)],
  ['apt apt-get aptitude', unless(says('purge'), /^(-s|--simulate|--dry-run)$/), and(says('remove|autoremove'), /^--purge$/)],
  ['dpkg', (args) => has(args, /^(-P|--purge)$/)],
  ['diskutil', says('(apfs )?(erase|delete|secureErase|partition|zero|random)\\S*')],
  ['tmutil', says('delete\\S*')],
  ['wsl wsl.exe', (args) => has(args, /^--unregister$/)],
]
const rules = new Map<string, readonly Rule[]>()
for (const [names, ...all] of lists) for (const name of names.split(' ')) rules.set(name, [...(rules.get(name) ?? []), ...all])

/** Programs of a database that take its data away. */
const storeLists: readonly (readonly [names: string, rule: Rule])[] = [
  ['dropdb dropuser', unless(() => true, /^--help$/)],
  ['mysqladmin mariadb-admin', says('drop')],
  ['redis-cli valkey-cli keydb-cli', (args) => /\sflush(all|db)\s/i.test(saidBy(args))],
  ['pg_restore', (args) => has(args, /^(-[a-zA-Z]*c|--clean)$/)],
  ['mongorestore', (args) => has(args, /^--drop$/)],
  ['rabbitmqctl', says('reset|force_reset|delete_\\S+|purge_queue')],
  ['kafka-topics kafka-topics.sh kafka-delete-records', (args) => has(args, /^--delete$/)],
  ['influx', says('delete|(bucket|org) delete')],
]
const stores = new Map(storeLists.flatMap(([names, rule]) => names.split(' ').map((name) => [name, rule] as const)))

/** A table is emptied, or something is dropped. What a `where` chooses is a change like any other. */
const sql =
  /\bdrop (if exists )?(database|schema|table|keyspace|owned|tablespace|collection|column)\b|\btruncate (table )?["`[\w]|\bdelete from [^ ;]+ ?(;|$)/i
const mongo = /\. ?(dropDatabase|drop|dropIndexes|dropAllUsers) ?\(|\. ?(deleteMany|remove) ?\( ?(\{ ?\} ?)?\)/
const redis = /(^| )flush(all|db)\b/i
const clientLists: readonly (readonly [names: string, pattern: RegExp])[] = [
  [
    'psql mysql mariadb cockroach cqlsh clickhouse-client clickhouse sqlcmd sqlplus isql usql pgcli mycli snowsql bq trino presto hive beeline',
    sql,
  ],
  ['mongo mongosh', mongo],
  ['redis-cli valkey-cli', redis],
]
const clients = new Map(clientLists.flatMap(([names, pattern]) => names.split(' ').map((name) => [name, pattern] as const)))
