// The person: profile, name, picture, e-mail and the code that proves it, everything as a file, giving the account up.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { AVATAR_PX, VERIFY_LIFE_S, VERIFY_RESEND_S } from '#contract/limits.ts'
import {
  deleteAccount,
  exportAccount,
  getProfile,
  readUsage,
  sendVerification,
  updateEmail,
  updateName,
  updateProfile,
  uploadAvatar,
  verifyEmail,
} from '#contract/profile.ts'
import { proveAddress } from '../access/actor.ts'
import type { Actor, App, Tx } from '../context.ts'
import { isTaken } from '../db/condition.ts'
import { dropImage, keepImage, storeImage, undoImage } from '../file/store.ts'
import { handle, type Route } from '../http/handle.ts'
import { refuseFor } from '../limits/rate.ts'
import { emailChangedMail, maskEmail, verificationMail } from '../mail/messages.ts'
import { checkCode, makeCode, sendCode, spendCode } from '../session/codes.ts'
import { provePassword, withdrawResets } from '../session/passwords.ts'
import { holdProved } from '../session/store.ts'
import { usageOf } from '../usage/usage.ts'
import { exportAccountOf } from './export.ts'
import { leave } from './leave.ts'
import { loadProfile } from './store.ts'

// Edits of the own profile: per field the last writer wins, by the time of the edit and not of its arrival (ruling A19).

/**
 * A device knows our clock to about a second and not always the same, and a new picture is dated by ours: taken away at once, or
 * renamed twice, the later edit must not look older than the one before. What comes so soon after it was made was made now.
 */
const CLOCK_MS = 2_000

/** Lays the given fields over the profile; a field that was edited later elsewhere keeps what it has. */
async function editProfile(
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
async function setAvatar(
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

// The address is the account: a new one is proved by its code, the old one is told, and a taken one is refused like any other.

/** One refusal for all reasons: whether an address has an account is nobody's business (T16). */
function emailRefused(): ApiError {
  return new ApiError(4220, { msg: 'e-mail not changed', text: '電子郵件無法更新，請確認後再試一次' })
}

/** Puts the new address in place of the old one, not verified, and mails its code. 4220 when it cannot be had. */
async function changeEmail(app: App, tx: Tx, actor: Actor, email: string): Promise<void> {
  const taken = await tx.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  // The own address, too: there is nothing to change.
  if (taken) throw emailRefused()
  try {
    await tx.db
      .updateTable('users')
      .set({ email, email_verified: 0, updated_at: tx.at })
      .where('id', '=', actor.uid)
      .execute()
  } catch (error) {
    // Somebody took it between the two statements.
    if (isTaken(error)) throw emailRefused()
    throw error
  }
  await withdrawResets(tx, actor.uid)
  const { code } = await makeCode(app, tx, actor.uid, email)
  await tx.append(`p:${actor.uid}`, 'profile', { change: 'email' })
  tx.afterCommit(() => {
    if (code !== null) app.mail.post(verificationMail(email, actor.name, code, VERIFY_LIFE_S / 60))
    app.mail.post(emailChangedMail(actor.email, actor.name, maskEmail(email)))
  })
}

export function profileRoutes(app: App): Route[] {
  return [
    handle(app, getProfile, ({ tx, actor }) => loadProfile(app, tx, actor.uid)),

    handle(app, updateProfile, async ({ tx, actor, input }) => {
      await editProfile(app, tx, actor.uid, input)
      return loadProfile(app, tx, actor.uid)
    }),

    handle(app, updateName, async ({ tx, actor, input }) => {
      await editProfile(app, tx, actor.uid, input)
      const { name } = await loadProfile(app, tx, actor.uid)
      return { name }
    }),

    handle(app, sendVerification, {
      prepare: ({ actor }) => app.limits.take('verify_send', actor.uid),
      async run({ tx, actor }) {
        const { wait_s, expires_at } = await sendCode(app, tx, actor)
        return { resend_after_s: wait_s > 0 ? wait_s : VERIFY_RESEND_S, expires_at }
      },
    }),

    handle(app, verifyEmail, {
      async prepare({ actor, input }) {
        const { wait_s, giveBack } = await app.guesses.take([{ limit: 'verify_try', of: actor.uid }])
        refuseFor(wait_s)
        const code_id = await checkCode(app, actor, input.code)
        if (code_id === null) throw new ApiError(6005)
        giveBack()
        return { code_id }
      },
      async run({ tx, actor, prepared }) {
        if (!(await spendCode(tx, prepared.code_id))) throw new ApiError(6005)
        if (!(await proveAddress(tx, actor.uid, actor.email))) throw new ApiError(6005)
        return null
      },
    }),

    handle(app, updateEmail, {
      async prepare({ actor, input }) {
        const proved = await provePassword(app, actor.uid, input.password)
        await app.limits.take('email_change', actor.uid)
        return { proved }
      },
      async run({ tx, actor, input, prepared: { proved } }) {
        if (!(await holdProved(app, tx, actor.uid, proved))) throw new ApiError(6003)
        await changeEmail(app, tx, actor, input.new_email)
        return { email: input.new_email }
      },
    }),

    handle(app, uploadAvatar, {
      async prepare({ actor, input }) {
        await app.limits.take('image', actor.uid)
        return storeImage(app, input.image, { max_px: AVATAR_PX, square: true })
      },
      async run({ tx, actor, prepared }) {
        await keepImage(tx, prepared, { scope: `p:${actor.uid}`, kind: 'avatar', uid: actor.uid })
        await setAvatar(app, tx, actor.uid, prepared.url, null)
        return { avatar: prepared.url }
      },
      undo: undoImage,
    }),

    handle(app, deleteAccount, {
      prepare: ({ actor, input }) => provePassword(app, actor.uid, input.password),
      async run({ tx, actor, prepared: proved }) {
        if (!(await holdProved(app, tx, actor.uid, proved))) throw new ApiError(6003)
        await leave(app, tx, actor)
        return null
      },
    }),

    handle(app, readUsage, ({ tx, actor }) => usageOf(tx.db, actor.uid)),

    handle(app, exportAccount, {
      prepare: ({ actor }) => app.limits.take('export', actor.uid),
      run: ({ tx, actor }) => app.exports.file(actor.uid, () => exportAccountOf(app, tx, actor.uid)),
    }),
  ]
}
