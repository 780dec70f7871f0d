// Which pictures a note shows: written with the note, so that who may read the one may see the other (docs/decisions/screens.md).
import { noteImageIds } from '#contract/strategy.ts'
import { mayEdit, visibleStrategies } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { noteFile, unlink } from '../file/store.ts'

/** Files of the pictures that a strategy's note shows. */
export async function imagesOf(db: Db, strategy_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('note_images')
    .select('image_id')
    .where('strategy_id', '=', strategy_id)
    .execute()
  return rows.map(({ image_id }) => image_id)
}

/** The note is this now. Only pictures of the same owner are the note's: the address of another's shows nothing. */
export async function showImages(
  tx: Tx,
  { id: strategy_id, scope }: Pick<StrategyRow, 'id' | 'scope'>,
  note: string,
): Promise<void> {
  const wanted = new Set(noteImageIds(note).map(noteFile))
  const shown = new Set(await imagesOf(tx.db, strategy_id))
  const fresh = [...wanted].filter((name) => !shown.has(name))
  const gone = [...shown].filter((name) => !wanted.has(name))
  if (fresh.length > 0) {
    // An update, not a look: a sweep of the same moment then finds the picture in use, or has taken it before.
    const found = await tx.db
      .updateTable('files')
      .set({ unused_since: null })
      .where('name', 'in', fresh)
      .where('kind', '=', 'note')
      .where('scope', '=', scope)
      .returning('name')
      .execute()
    if (found.length > 0)
      await tx.db
        .insertInto('note_images')
        .values(found.map(({ name }) => ({ strategy_id, image_id: name })))
        .execute()
  }
  if (gone.length === 0) return
  await tx.db
    .deleteFrom('note_images')
    .where('strategy_id', '=', strategy_id)
    .where('image_id', 'in', gone)
    .execute()
  await tx.db
    .updateTable('files')
    .set({ unused_since: tx.at })
    .where('name', 'in', gone)
    .where('name', 'not in', (eb) => eb.selectFrom('note_images').select('image_id'))
    .execute()
}

/** Of these the pictures that no note shows any more go at once, row and file: their strategy was erased. */
export async function forgetImages(
  app: Pick<App, 'config' | 'log'>,
  tx: Tx,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  const gone = await tx.db
    .deleteFrom('files')
    .where('name', 'in', names)
    .where('name', 'not in', (eb) => eb.selectFrom('note_images').select('image_id'))
    .returning('name')
    .execute()
  const files = gone.map(({ name }) => name)
  if (files.length > 0) tx.afterCommit(() => void unlink(app, files))
}

/** The file of a picture that the caller may see: of a strategy it sees today, or its own that waits to be used. */
export async function findImage(db: Db, actor: Actor, id: string): Promise<string | null> {
  const name = noteFile(id)
  const shown = await visibleStrategies(db, actor)
    .innerJoin('note_images', 'note_images.strategy_id', 'strategies.id')
    .select('note_images.image_id')
    .where('note_images.image_id', '=', name)
    .executeTakeFirst()
  if (shown) return name
  if (!mayEdit(actor)) return null
  const own = await db
    .selectFrom('files')
    .select('name')
    .where('name', '=', name)
    .where('kind', '=', 'note')
    .where('scope', '=', actor.scope)
    .where('uid', '=', actor.uid)
    .executeTakeFirst()
  return own?.name ?? null
}
