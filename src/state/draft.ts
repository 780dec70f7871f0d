// The drafts of new strategies, one of each kind, kept on the device so that an accidental reload loses nothing. They belong to one person in one identity; signing out removes them.
import { KEYS, type StorageLike } from './storage.ts'

/** Whose draft: the person's id and the context (`personal` or `org:<id>`); and of which kind of strategy. */
export type DraftOwner = { uid: string; ctx: string; kind: string }
type Kept = { at: string; values: unknown }

/** What was kept for this owner, null when there is nothing, when it is another's, or when it cannot be read. */
export function readDraft(storage: StorageLike, owner: DraftOwner): Kept | null {
  return draftsOf(storage, owner)[owner.kind] ?? null
}

/** Keeps the values of the form; `at` is an ISO instant. */
export function keepDraft(storage: StorageLike, owner: DraftOwner, at: string, values: unknown): void {
  write(storage, owner, { ...draftsOf(storage, owner), [owner.kind]: { at, values } })
}

/** Forgets it: created, or thrown away. Drafts of other kinds stay. */
export function dropDraft(storage: StorageLike, owner: DraftOwner): void {
  const { [owner.kind]: _dropped, ...others } = draftsOf(storage, owner)
  if (Object.keys(others).length > 0) write(storage, owner, others)
  else storage.removeItem(KEYS.draft)
}

function write(storage: StorageLike, { uid, ctx }: DraftOwner, kinds: Record<string, Kept>): void {
  storage.setItem(KEYS.draft, JSON.stringify({ uid, ctx, kinds }))
}

function draftsOf(storage: StorageLike, owner: DraftOwner): Record<string, Kept> {
  const text = storage.getItem(KEYS.draft)
  if (text === null) return {}
  try {
    const { uid, ctx, kinds, at, values } = (JSON.parse(text) ?? {}) as Record<string, unknown>
    if (uid !== owner.uid || ctx !== owner.ctx) return {}
    // As it was kept while there was one form only.
    if (typeof at === 'string') return { futures: { at, values } }
    const kept = Object.entries((kinds ?? {}) as Record<string, Partial<Kept> | null>)
    return Object.fromEntries(kept.flatMap(([kind, one]) => (isKept(one) ? [[kind, one]] : [])))
  } catch {
    return {} // damaged: as if it were missing, the next one overwrites it
  }
}

function isKept(one: Partial<Kept> | null): one is Kept {
  return typeof one?.at === 'string' && 'values' in one
}
