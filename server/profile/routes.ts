// The person: profile, name, picture, e-mail and the code that proves it, everything as a file, giving the account up.
import { ApiError } from '#contract/errors.ts'
import { AVATAR_PX, VERIFY_RESEND_S } from '#contract/limits.ts'
import {
  deleteAccount,
  exportAccount,
  getProfile,
  sendVerification,
  updateEmail,
  updateName,
  updateProfile,
  uploadAvatar,
  verifyEmail,
} from '#contract/profile.ts'
import { readUsage } from '#contract/usage.ts'
import { proveAddress } from '../access/address.ts'
import type { App } from '../context.ts'
import { keepImage, storeImage, undoImage } from '../file/store.ts'
import { handle, type Route } from '../http/handle.ts'
import { refuseFor } from '../limits/rate.ts'
import { checkCode, sendCode, spendCode } from '../session/codes.ts'
import { provePassword } from '../session/prove.ts'
import { holdProved } from '../session/store.ts'
import { usageOf } from '../usage/usage.ts'
import { editProfile, setAvatar } from './edit.ts'
import { changeEmail } from './email.ts'
import { exportAccountOf } from './export.ts'
import { leave } from './leave.ts'
import { loadProfile } from './store.ts'

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
