// Fields that several devices of one person edit: per field the later edit stands, and the one that lost is given back (ruling A19).
import type { Overwritten } from '#contract/notification.ts'
import type { Actor } from '../context.ts'
import type { Db } from '../db/schema.ts'

/** Who edits. */
export interface Editor {
  readonly device: string | null
  /** The session: what it sets afterwards, it sets knowingly. Absent where none did. */
  readonly sid?: string
}
/** The edit of a field that stands. `came` and `device` are absent where the edit was made before they were kept. */
export interface FieldEdit extends Partial<Editor> {
  /** When it was edited, by the device. */
  readonly at: string
  /** When it came here: who edited before that did not know of it. */
  readonly came?: string
}

/** Of `changes`: the edits that stand from now on, by field, and what lost to an edit that its device did not know of. */
export function settle(
  known: {
    readonly edit: (path: string) => FieldEdit | undefined
    readonly value: (path: string) => unknown
  },
  changes: Readonly<Record<string, unknown>>,
  { at, came }: { readonly at: string; readonly came: string },
  by: Editor,
): { stands: Record<string, FieldEdit>; lost: Overwritten[] } {
  const stands: Record<string, FieldEdit> = {}
  const lost: Overwritten[] = []
  for (const [path, value] of Object.entries(changes)) {
    if (value === undefined) continue
    const before = known.edit(path)
    // Its own edits come one after the other, and times are whole seconds: the later to come stands, and covers nothing.
    const own = before?.sid !== undefined && before.sid === by.sid
    const other = own ? undefined : before
    const unaware = other?.came !== undefined && other.came > at && !same(known.value(path), value)
    if (other && other.at > at) {
      if (unaware) lost.push({ path, value, device_label: by.device, at, standing_at: other.at })
      continue
    }
    if (unaware)
      lost.push({
        ...{ path, value: known.value(path), device_label: other.device ?? null },
        ...{ at: other.at, standing_at: at },
      })
    stands[path] = { at: own && before.at > at ? before.at : at, came, ...by }
  }
  return { stands, lost }
}

/** When a call was edited: never later than it came. */
export const editedAt = (edited_at: string | undefined, came: string): string =>
  edited_at !== undefined && edited_at < came ? edited_at : came

/** The session that calls, and what its device is named in the list of sessions. */
export async function editorOf(db: Db, { sid }: Pick<Actor, 'sid'>): Promise<Required<Editor>> {
  const row = await db.selectFrom('sessions').select('device_label').where('id', '=', sid).executeTakeFirst()
  return { device: row?.device_label ?? null, sid }
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
