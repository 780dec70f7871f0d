// Signing up, in and out, and the list of one's sessions.
import { ApiError } from '#contract/errors.ts'
import {
  endSession,
  listSessions,
  login,
  logout,
  prolongSession,
  register,
  renewToken,
} from '#contract/session.ts'
import type { App } from '../context.ts'
import { handle, handlePublic, type Route } from '../http/handle.ts'
import { newId } from '../ids.ts'
import { provesMailbox } from '../invitation/rules.ts'
import { alreadyRegisteredMail } from '../mail/messages.ts'
import { mailStays } from '../mail/stays.ts'
import { burnCode, sendCode } from './codes.ts'
import { refuseCommon } from './common-passwords.ts'
import { deviceLabel } from './device.ts'
import { rememberDevice } from './known-device.ts'
import { passwordRoutes } from './password-routes.ts'
import { provePassword, trySignIn } from './prove.ts'
import {
  addAccount,
  closeSession,
  findAccount,
  holdProved,
  openSession,
  renewSession,
  sessionsOf,
} from './store.ts'

export function sessionRoutes(app: App): Route[] {
  return [
    handlePublic(app, register, {
      async prepare({ input, request }) {
        await app.limits.takeFrom('register_ip', request.ip)
        refuseCommon('password', input.password)
        return { hash: await app.passwords.hash(input.password) }
      },
      // An address that exists gives the same answer; its owner learns of it by mail (ruling A30), and whoever
      // holds the code of an invitation to it at once: they read that mailbox (ruling C44, decision 106).
      async run({ tx, input, prepared }) {
        const id = newId()
        const { email, name } = input
        const email_verified = await provesMailbox(tx, input.invite_code, email)
        const account = { id, email, name, password_hash: prepared.hash, email_verified }
        const made = await addAccount(tx, account)
        const answer = { id, has_account: !made && email_verified, in_folder: mailStays(app.config) }
        const owner = await findAccount(tx.db, email)
        if (made) {
          if (!email_verified) await sendCode(app, tx, { uid: id, email, name })
          return answer
        }
        // As much is written as for a new one: the answer takes as long, and so does whatever comes next (T16).
        if (owner) await burnCode(app, tx, owner.id, email)
        const mail = alreadyRegisteredMail(email, owner?.name ?? '', app.config.public_url)
        const tell = owner !== undefined && (await app.limits.wait('register_mail', owner.id)) === 0
        tx.afterCommit(() => (tell ? app.mail.post(mail) : app.mail.pretend(mail)))
        return answer
      },
    }),

    handlePublic(app, login, {
      async prepare({ input, request }) {
        const account = await trySignIn(app, input.account, request, async (first) => {
          const found = await findAccount(app.db, input.account)
          // The same work and the same words whether the account exists or not.
          const right = await app.passwords.fits(found?.password_hash ?? null, input.password, first)
          return right && found ? found : null
        })
        return { uid: account.id, proved: account.password_hash, sid: newId() }
      },
      async run({ tx, input, prepared: { uid, proved, sid }, request }) {
        // Given up or replaced since it was proved: a session opened now would outlive what ended all others.
        if (!(await holdProved(app, tx, uid, proved))) throw new ApiError(6002)
        const device_label = deviceLabel(request.user_agent)
        const access_token = await openSession(app, tx, { uid, sid, device_label })
        request.setCookie(rememberDevice(app, input.account, request.cookie))
        return { access_token }
      },
    }),

    handle(app, renewToken, async ({ tx, actor, request }) => {
      const renewed = await renewSession(app, tx, actor)
      if (!renewed) throw new ApiError(4012)
      request.setCookie(rememberDevice(app, actor.email, request.cookie))
      return { access_token: renewed.access_token }
    }),

    handle(app, prolongSession, {
      prepare: async ({ actor, input }) => ({ proved: await provePassword(app, actor.uid, input.password) }),
      async run({ tx, actor, prepared: { proved } }) {
        // Replaced since it was proved.
        if (!(await holdProved(app, tx, actor.uid, proved))) throw new ApiError(6003)
        const renewed = await renewSession(app, tx, actor, { proved: true })
        if (!renewed) throw new ApiError(4012)
        return renewed
      },
    }),

    handle(app, logout, async ({ tx, actor }) => {
      await closeSession(tx, actor.uid, actor.sid)
      tx.afterCommit(() => app.events.endSession(actor.sid))
      return null
    }),

    handle(app, listSessions, async ({ tx, actor }) => {
      const rows = await sessionsOf(tx.db, actor.uid, tx.at)
      return rows.map((row) => ({ ...row, current: row.id === actor.sid }))
    }),

    handle(app, endSession, async ({ tx, actor, input }) => {
      if (!(await closeSession(tx, actor.uid, input.id, { others: input.id !== actor.sid })))
        throw new ApiError(4040)
      tx.afterCommit(() => app.events.endSession(input.id))
      return null
    }),

    ...passwordRoutes(app),
  ]
}
