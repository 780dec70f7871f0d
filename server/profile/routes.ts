// The person: profile, name, and the code that proves the e-mail address.
import { ApiError } from '#contract/errors.ts'
import { VERIFY_LIFE_S, VERIFY_RESEND_S } from '#contract/limits.ts'
import { getProfile, sendVerification, updateName, updateProfile, verifyEmail } from '#contract/profile.ts'
import type { App } from '../context.ts'
import { handle, type Route } from '../http/handle.ts'
import { verificationMail } from '../mail/messages.ts'
import { checkCode, makeCode, spendCode } from './codes.ts'
import { editProfile } from './edit.ts'
import { loadProfile } from './store.ts'

export function profileRoutes(app: App): Route[] {
  return [
    handle(app, getProfile, ({ tx, actor }) => loadProfile(tx, actor.uid)),

    handle(app, updateProfile, async ({ tx, actor, input }) => {
      await editProfile(tx, actor.uid, input)
      return loadProfile(tx, actor.uid)
    }),

    handle(app, updateName, async ({ tx, actor, input }) => {
      await editProfile(tx, actor.uid, input)
      const { name } = await loadProfile(tx, actor.uid)
      return { name }
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
