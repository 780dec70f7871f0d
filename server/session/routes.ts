// Signing up, in and out, and the list of one's sessions.
import { ApiError, invalid } from '#contract/errors.ts'
import { judgeReturnTo } from '#contract/return-to.ts'
import {
  checkResetToken,
  endSession,
  forgetPassword,
  listSessions,
  login,
  logout,
  prolongSession,
  register,
  renewToken,
  resetPassword,
  updatePassword,
} from '#contract/session.ts'
import type { App, Tx } from '../context.ts'
import { handle, handlePublic, type RequestInfo, type Route } from '../http/handle.ts'
import { newId } from '../ids.ts'
import { provesMailbox } from '../invitation/store.ts'
import {
  alreadyRegisteredMail,
  forgotPasswordMail,
  mailStays,
  maskEmail,
  passwordChangedMail,
} from '../mail/messages.ts'
import { burnCode, sendCode } from './codes.ts'
import {
  doubtIdentities,
  findReset,
  missesOf,
  openReset,
  provePassword,
  refuseCommon,
  spendReset,
  trySignIn,
  withdrawResets,
} from './passwords.ts'
import {
  addAccount,
  closeSession,
  closeSessions,
  deviceLabel,
  findAccount,
  holdProved,
  openSession,
  rememberDevice,
  renewSession,
  sessionsOf,
} from './store.ts'

// Passwords: forgotten, set anew by the link from the mail, changed while signed in.

function passwordRoutes(app: App): Route[] {
  return [
    handlePublic(app, forgetPassword, {
      async prepare({ input, request }) {
        await app.limits.takeFrom('reset_ip', request.ip)
        // Whoever asked too often for somebody's address must not silence the owner: more slowly, but mails go on.
        const mails =
          (await app.limits.wait('reset_mail', input.email)) === 0 ||
          (await app.limits.wait('reset_again', input.email)) === 0
        return { mails }
      },
      // The same words and the same work whether the account exists or not (T16); the mail goes after the answer.
      async run({ tx, input, prepared }) {
        const answer = { in_folder: mailStays(app.config) }
        if (!prepared.mails) return answer
        const account = await findAccount(tx.db, input.email)
        const token = await openReset(tx, account?.id ?? null)
        const { email, name } = account ?? { email: input.email, name: '' }
        // Anybody asks for anybody's mail: it leads to a page of this application or to none.
        const return_to = judgeReturnTo(input.return_to, (value, base) => new URL(value, base))
        const mail = forgotPasswordMail(email, name, app.config.public_url, token, return_to)
        tx.afterCommit(() => (account ? app.mail.post(mail) : app.mail.pretend(mail)))
        return answer
      },
    }),

    handlePublic(app, checkResetToken, async ({ tx, input, request }) => {
      const find = () => findReset(tx.db, input.token, tx.at)
      const { email } = await app.guesses.lookUp('reset_ip', request.ip, find)
      return { email_masked: maskEmail(email) }
    }),

    handlePublic(app, resetPassword, {
      async prepare({ input, request }) {
        await app.guesses.lookUp('reset_ip', request.ip, () => findReset(app.db, input.token, request.at))
        refuseCommon('password', input.password)
        return { hash: await app.passwords.hash(input.password) }
      },
      async run({ tx, input, prepared, request }) {
        const uid = await spendReset(tx, input.token)
        await setPassword(tx, uid, prepared.hash)
        await doubtIdentities(tx, uid)
        await closeSessions(app, tx, uid)
        tellOwner(app, tx, await ownerOf(tx, uid), request)
        return null
      },
    }),

    handle(app, updatePassword, {
      async prepare({ actor, input: { old_password, new_password } }) {
        refuseCommon('new_password', new_password)
        if (old_password === new_password) throw invalid({ new_password: '新密碼不能和目前的一樣' })
        const { password_hash } = await app.db
          .selectFrom('users')
          .select('password_hash')
          .where('id', '=', actor.uid)
          .executeTakeFirstOrThrow()
        // Signed in by another provider and without a password so far: there is nothing to prove it by.
        if (password_hash === null) return { proved: null, hash: await app.passwords.hash(new_password) }
        if (old_password === undefined) throw invalid({ old_password: '請輸入目前的密碼' })
        const proved = await provePassword(app, actor.uid, old_password, 'old_password')
        return { proved, hash: await app.passwords.hash(new_password) }
      },
      async run({ tx, actor, prepared: { proved, hash }, request }) {
        // Changed by another device while this one was proving the old one.
        if (!(await setPassword(tx, actor.uid, hash, proved))) throw new ApiError(6003)
        await closeSessions(app, tx, actor.uid, actor.sid)
        await tx.append(`p:${actor.uid}`, 'profile', { change: 'password' })
        tellOwner(app, tx, actor, request)
        return null
      },
    }),
  ]
}

/** False when `instead_of` (a hash, or null for none) is not what stands there any more; without it whatever stands there goes. */
async function setPassword(
  tx: Tx,
  uid: string,
  password_hash: string,
  instead_of?: string | null,
): Promise<boolean> {
  const update = tx.db
    .updateTable('users')
    .set({ password_hash, need_force_update_password: 0, updated_at: tx.at })
    .where('id', '=', uid)
    .$if(instead_of === null, (query) => query.where('password_hash', 'is', null))
    .$if(typeof instead_of === 'string', (query) => query.where('password_hash', '=', instead_of as string))
  const set = await update.returning('id').executeTakeFirst()
  await withdrawResets(tx, uid)
  return set !== undefined
}

function ownerOf(tx: Tx, uid: string) {
  return tx.db.selectFrom('users').select(['email', 'name']).where('id', '=', uid).executeTakeFirstOrThrow()
}

/** Whoever did not do it must learn of it; and the guesses counted against the account were for a password that is gone. */
function tellOwner(
  app: App,
  tx: Tx,
  { email, name }: { email: string; name: string },
  request: RequestInfo,
): void {
  tx.afterCommit(() => {
    app.guesses.forget(missesOf(app, email, request))
    app.mail.post(passwordChangedMail(email, name, app.config.public_url))
  })
}

export function sessionRoutes(app: App): Route[] {
  return [
    handlePublic(app, register, {
      async prepare({ input, request }) {
        await app.limits.takeFrom('register_ip', request.ip)
        refuseCommon('password', input.password)
        return { hash: await app.passwords.hash(input.password) }
      },
      // An address that exists gives the same answer; its owner learns of it by mail (ruling A30), and whoever
      // holds the code of an invitation to it at once: they read that mailbox (ruling C44, docs/decisions/ways-in.md).
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
        request.setCookie(rememberDevice(app, input.account, request.cookie, sid))
        return { access_token }
      },
    }),

    handle(app, renewToken, async ({ tx, actor, request }) => {
      const renewed = await renewSession(app, tx, actor)
      if (!renewed) throw new ApiError(4012)
      request.setCookie(rememberDevice(app, actor.email, request.cookie, actor.sid))
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
