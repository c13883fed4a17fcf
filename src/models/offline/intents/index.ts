import { append } from './append.ts'
import { arrange } from './arrange.ts'
import { countEntries } from './count-entries.ts'
import { count } from './count.ts'
import { date } from './date.ts'
import { depends } from './depends.ts'
import { exists } from './exists.ts'
import { field } from './field.ts'
import { find } from './find.ts'
import { helpFor } from './help.ts'
import type { Intent } from './intent.ts'
import { list } from './list.ts'
import { parts } from './parts.ts'
import { planList } from './plan-list.ts'
import { project } from './project.ts'
import { read } from './read.ts'
import { replace } from './replace.ts'
import { run } from './run.ts'
import { script } from './script.ts'
import { search } from './search.ts'
import { summarise } from './summarise.ts'
import { uses } from './uses.ts'
import { again, verdict } from './verdict.ts'
import { web } from './web.ts'
import { write } from './write.ts'

/**
 * All that is understood. The first that leaves nothing of a request over wins, else the one that leaves least; so those that
 * ask for more words stand before those that are content with fewer.
 */
export const intents: readonly Intent[] = [
  helpFor(() => intents),
  date,
  web,
  planList,
  append,
  replace,
  arrange,
  write,
  verdict,
  again,
  exists,
  uses,
  depends,
  project,
  parts,
  field,
  countEntries,
  count,
  read,
  list,
  summarise,
  search,
  find,
  script,
  run,
]
