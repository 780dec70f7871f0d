// Edits of the own profile: per field the last writer wins, by the time of the edit and not of its arrival (ruling A19).
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { updateProfile } from '#contract/profile.ts'
import type { Tx } from '../context.ts'

/** Lays the given fields over the profile; a field that was edited later elsewhere keeps what it has. */
export async function editProfile(
  tx: Tx,
  uid: string,
  { name, avatar, edited_at }: ParsedInputOf<typeof updateProfile>,
): Promise<void> {
  // A device whose clock runs ahead must not win over everything that comes after it.
  const at = edited_at !== undefined && edited_at < tx.at ? edited_at : tx.at
  if (name !== undefined) await rename(tx, uid, name, at)
  if (avatar === null) await setAvatar(tx, uid, null, at)
}

/** Puts a picture (its address under /files) in place of the old one, or takes it away; false when an edit came later. */
export async function setAvatar(tx: Tx, uid: string, avatar: string | null, at: string): Promise<boolean> {
  const before = await tx.db
    .selectFrom('users')
    .select('avatar')
    .where('id', '=', uid)
    .executeTakeFirstOrThrow()
  const changed = await tx.db
    .updateTable('users')
    .set({ avatar, avatar_edited_at: at, updated_at: tx.at })
    .where('id', '=', uid)
    .where((eb) => eb.or([eb('avatar_edited_at', 'is', null), eb('avatar_edited_at', '<=', at)]))
    .returning('id')
    .executeTakeFirst()
  if (!changed) return false
  if (before.avatar !== avatar) await tx.append(`p:${uid}`, 'profile', { change: 'avatar' })
  return true
}

async function rename(tx: Tx, uid: string, name: string, at: string): Promise<void> {
  const changed = await tx.db
    .updateTable('users')
    .set({ name, name_edited_at: at, updated_at: tx.at })
    .where('id', '=', uid)
    .where((eb) => eb.or([eb('name_edited_at', 'is', null), eb('name_edited_at', '<=', at)]))
    .returning('id')
    .executeTakeFirst()
  if (changed) await tx.append(`p:${uid}`, 'profile', { change: 'name' })
}
