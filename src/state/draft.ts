// The draft of a new strategy, kept on the device so that an accidental reload loses nothing. It belongs to one person in one identity; signing out removes it.
import { KEYS, type StorageLike } from './storage.ts'

/** Whose draft: the person's id and the context (`personal` or `org:<id>`). */
export type DraftOwner = { uid: string; ctx: string }

/** What was kept for this owner, null when there is nothing, when it is another's, or when it cannot be read. */
export function readDraft(storage: StorageLike, owner: DraftOwner): { at: string; values: unknown } | null {
  const text = storage.getItem(KEYS.draft)
  if (text === null) return null
  try {
    const kept: unknown = JSON.parse(text)
    if (typeof kept !== 'object' || kept === null) return null
    const { uid, ctx, at, values } = kept as Record<string, unknown>
    if (uid !== owner.uid || ctx !== owner.ctx || typeof at !== 'string') return null
    return { at, values }
  } catch {
    return null // damaged: as if it were missing, the next one overwrites it
  }
}

/** Keeps the values of the form; `at` is an ISO instant. */
export function keepDraft(storage: StorageLike, owner: DraftOwner, at: string, values: unknown): void {
  storage.setItem(KEYS.draft, JSON.stringify({ ...owner, at, values }))
}

/** Forgets it: created, or thrown away. */
export function dropDraft(storage: StorageLike): void {
  storage.removeItem(KEYS.draft)
}
