// Edits of the own profile: per field the last writer wins, by the time of the edit and not of its arrival (ruling A19).
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { updateProfile } from '#contract/profile.ts'
import type { App, Tx } from '../context.ts'
import { dropImage } from '../file/store.ts'

/**
 * A device knows our clock to about a second and not always the same, and a new picture is dated by ours: taken away at once, or
 * renamed twice, the later edit must not look older than the one before. What comes so soon after it was made was made now.
 */
const CLOCK_MS = 2_000

/** Lays the given fields over the profile; a field that was edited later elsewhere keeps what it has. */
export async function editProfile(
  app: Pick<App, 'config' | 'log'>,
  tx: Tx,
  uid: string,
  { name, avatar, edited_at }: ParsedInputOf<typeof updateProfile>,
): Promise<void> {
  // A device whose clock runs ahead must not win over everything that comes after it.
  const earlier = edited_at !== undefined && Date.parse(tx.at) - Date.parse(edited_at) > CLOCK_MS
  const at = earlier ? edited_at : tx.at
  if (name !== undefined) await rename(tx, uid, name, at)
  if (avatar === null) await setAvatar(app, tx, uid, null, at)
}

/**
 * Puts a picture (its address under /files) in place of the old one, or takes it away; the old file goes. With `edited_at`
 * only if no later edit stands there.
 */
export async function setAvatar(
  app: Pick<App, 'config' | 'log'>,
  tx: Tx,
  uid: string,
  avatar: string | null,
  edited_at: string | null,
): Promise<void> {
  const user = tx.db.selectFrom('users').where('id', '=', uid)
  const before = await user.select(['avatar', 'avatar_edited_at']).executeTakeFirstOrThrow()
  if (edited_at !== null && before.avatar_edited_at !== null && before.avatar_edited_at > edited_at) return
  await tx.db
    .updateTable('users')
    .set({ avatar, avatar_edited_at: edited_at ?? tx.at, updated_at: tx.at })
    .where('id', '=', uid)
    .execute()
  if (before.avatar === avatar) return
  await dropImage(app, tx, `p:${uid}`, before.avatar)
  await tx.append(`p:${uid}`, 'profile', { change: 'avatar' })
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
