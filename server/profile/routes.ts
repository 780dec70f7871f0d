// The person: profile, name, and the code that proves the e-mail address.
import { ApiError } from '#contract/errors.ts'
import { VERIFY_LIFE_S, VERIFY_RESEND_S } from '#contract/limits.ts'
import { getProfile, sendVerification, updateName, updateProfile, verifyEmail } from '#contract/profile.ts'
import type { App, Tx } from '../context.ts'
import { handle, type Route } from '../http/handle.ts'
import { verificationMail } from '../mail/messages.ts'
import { checkCode, makeCode, spendCode } from './codes.ts'
import { loadProfile } from './store.ts'

export function profileRoutes(app: App): Route[] {
  return [
    handle(app, getProfile, ({ tx, actor }) => loadProfile(tx, actor.uid)),

    handle(app, updateProfile, async ({ tx, actor, input }) => {
      if (input.name !== undefined) await rename(tx, actor.uid, input.name)
      return loadProfile(tx, actor.uid)
    }),

    handle(app, updateName, async ({ tx, actor, input }) => {
      await rename(tx, actor.uid, input.name)
      return { name: input.name }
    }),

    handle(app, sendVerification, {
      prepare: ({ actor }) => app.limits.take('verify_send', actor.uid),
      async run({ tx, actor }) {
        const { code, wait_s, expires_at } = await makeCode(app, tx, actor.uid, actor.email)
        if (code !== null)
          tx.afterCommit(() =>
            app.mail.post(verificationMail(actor.email, actor.name, code, VERIFY_LIFE_S / 60)),
          )
        return { resend_after_s: code === null ? wait_s : VERIFY_RESEND_S, expires_at }
      },
    }),

    handle(app, verifyEmail, {
      async prepare({ actor, input }) {
        await app.limits.take('verify_try', actor.uid)
        const code_id = await checkCode(app, actor, input.code)
        if (code_id === null) throw new ApiError(6005)
        return { code_id }
      },
      async run({ tx, actor, prepared }) {
        if (!(await spendCode(tx, prepared.code_id))) throw new ApiError(6005)
        await tx.db
          .updateTable('users')
          .set({ email_verified: 1, updated_at: tx.at })
          .where('id', '=', actor.uid)
          .execute()
        await tx.append(`p:${actor.uid}`, 'profile', { change: 'email_verified' })
        return null
      },
    }),
  ]
}

async function rename(tx: Tx, uid: string, name: string): Promise<void> {
  await tx.db.updateTable('users').set({ name, updated_at: tx.at }).where('id', '=', uid).execute()
  await tx.append(`p:${uid}`, 'profile', { change: 'name' })
}
