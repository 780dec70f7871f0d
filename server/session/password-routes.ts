// Passwords: forgotten, set anew by the link from the mail, changed while signed in.
import { ApiError, invalid } from '#contract/errors.ts'
import { judgeReturnTo } from '#contract/return-to.ts'
import { checkResetToken, forgetPassword, resetPassword, updatePassword } from '#contract/session.ts'
import type { App, Tx } from '../context.ts'
import { handle, handlePublic, type RequestInfo, type Route } from '../http/handle.ts'
import { maskEmail } from '../mail/mask.ts'
import { forgotPasswordMail, passwordChangedMail } from '../mail/messages.ts'
import { mailStays } from '../mail/stays.ts'
import { refuseCommon } from './common-passwords.ts'
import { forgetMisses, provePassword } from './prove.ts'
import { doubtIdentities, findReset, openReset, spendReset, withdrawResets } from './resets.ts'
import { closeSessions, findAccount } from './store.ts'

export function passwordRoutes(app: App): Route[] {
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
    forgetMisses(app, email, request)
    app.mail.post(passwordChangedMail(email, name, app.config.public_url))
  })
}
