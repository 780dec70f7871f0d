// What the operator says on behalf of the platform (ruling A7): a command leaves a file in DATA_DIR/announcements, and the running
// server takes it in. Nobody but the server writes to its database.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { announcement_draft } from '#contract/announcement.ts'
import { fieldMessagesOf } from '#contract/field-messages.ts'
import { id } from '#contract/fields.ts'
import type { App, Tx } from '../context.ts'
import { inTransaction } from '../events/transaction.ts'
import { makeFolder } from '../make-folder.ts'
import { searchKey } from './store.ts'

const { group_ids: _none, ...said } = announcement_draft
const command = z.union([
  z.object({ kind: z.literal('publish'), id: id(), ...said }),
  z.object({ kind: z.literal('delete'), id: id() }),
])
export type Command = z.output<typeof command>

const FOLDER = 'announcements'
const END = '.json'
/** What could not be taken in keeps lying there under this name. */
const REFUSED = '.refused'

type Parts = Pick<App, 'db' | 'now' | 'events' | 'log'> & { readonly config: Pick<App['config'], 'data_dir'> }

/** What is wrong with a command, by field; empty when nothing is. */
export function faultsOf(asked: z.input<typeof command>): Record<string, string> {
  return fieldMessagesOf(
    (asked.kind === 'delete' ? command.def.options[1] : command.def.options[0])?.safeParse(asked).error,
  )
}

/** Leaves the command for the server; gives the path that goes when it was taken. */
export function leaveCommand(data_dir: string, asked: z.input<typeof command>): string {
  const folder = join(data_dir, FOLDER)
  makeFolder(folder)
  const path = join(folder, `${asked.id}-${asked.kind}${END}`)
  // Whole or not at all: the server may look at any moment.
  writeFileSync(`${path}.new`, JSON.stringify(asked), { mode: 0o600 })
  renameSync(`${path}.new`, path)
  return path
}

/** Takes in what was left; gives how many. */
export async function takeCommands(app: Parts): Promise<number> {
  const folder = join(app.config.data_dir, FOLDER)
  let taken = 0
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    const asked = read(path)
    if (asked === 'gone') continue
    if (asked === null) {
      app.log.error({ path }, 'announcements: a command that is none, or that cannot be read')
      renameSync(path, path + REFUSED)
      continue
    }
    await inTransaction(app, (tx) => (asked.kind === 'publish' ? keep(tx, asked) : takeBack(tx, asked.id)))
    // Taken twice it is the same row.
    rmSync(path, { force: true })
    taken++
  }
  return taken
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(END))
      .sort()
  } catch (error) {
    // Nobody has left anything yet.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** null for what is none, or is another account's; `gone` when another process took it meanwhile. */
function read(path: string): Command | 'gone' | null {
  try {
    return command.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : null
  }
}

async function keep(tx: Tx, asked: Extract<Command, { kind: 'publish' }>): Promise<void> {
  const { title, body, publish_at = tx.at } = asked
  await tx.db
    .insertInto('announcements')
    .values({
      ...{ id: asked.id, organization_id: null, title, body, search_key: searchKey(asked) },
      ...{ tags: JSON.stringify(asked.tags), pinned: Number(asked.pinned), notify: Number(asked.notify) },
      ...{ publish_at, expire_at: asked.expire_at, for_groups: 0, created_by: null },
      ...{ published_at: null, owes: null, created_at: tx.at, updated_at: tx.at },
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Seen by nobody from now on; it goes when everybody was told. */
async function takeBack(tx: Tx, id: string): Promise<void> {
  await tx.db
    .updateTable('announcements')
    .set({ owes: 'deleted', told_to: '' })
    .where('id', '=', id)
    .where('organization_id', 'is', null)
    .execute()
}
