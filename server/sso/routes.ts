// Tickets for sessions, linking with a password, and which providers there are.
import { ApiError } from '#contract/errors.ts'
import { linkSso, listSsoProviders, tokenLogin } from '#contract/oauth.ts'
import type { App } from '../context.ts'
import { inTransaction } from '../events/transaction.ts'
import { handlePublic, type Route } from '../http/handle.ts'
import { trySignIn } from '../session/passwords.ts'
import { rememberDevice } from '../session/store.ts'
import { connect } from './flow.ts'
import { findTicket, redeem, reused, spent } from './tickets.ts'

export function ssoRoutes(app: App): Route[] {
  return [
    handlePublic(app, listSsoProviders, () =>
      Promise.resolve(app.config.sso_providers.map(({ id, name, icon }) => ({ id, name, icon }))),
    ),

    handlePublic(app, tokenLogin, {
      // In a transaction of its own: a second use is refused and still ends the session of the first.
      async prepare({ input, request }) {
        const redeemed = () =>
          inTransaction(app, async (tx) => {
            const row = await findTicket(app, tx.db, input.ticket, request.cookie, tx.at)
            if (row.kind === 'link' && row.used_at === null) throw new ApiError(6031)
            const opened = await redeem(app, tx, row, request.user_agent)
            if (opened !== null && row.provider !== null && row.subject !== null)
              await tx.db
                .updateTable('identities')
                .set({ last_used_at: tx.at })
                .where('provider', '=', row.provider)
                .where('subject', '=', row.subject)
                .execute()
            return opened
          })
        const token = await app.guesses.lookUp('ticket_ip', request.ip, redeemed)
        if (token === null) throw reused()
        return token
      },
      run: ({ prepared }) => Promise.resolve({ access_token: prepared }),
    }),

    handlePublic(app, linkSso, {
      async prepare({ input, request }) {
        const find = () => findTicket(app, app.db, input.ticket, request.cookie, request.at)
        const row = await app.guesses.lookUp('ticket_ip', request.ip, find)
        const { provider, subject } = row
        if (row.used_at !== null) throw reused()
        if (row.kind !== 'link' || provider === null || subject === null) throw spent('no ticket for linking')
        const owner = await app.db
          .selectFrom('users')
          .select(['email', 'password_hash'])
          .where('id', '=', row.uid)
          .executeTakeFirst()
        if (!owner) {
          // The same work as for an account that is there.
          await app.passwords.fits(null, input.password)
          throw new ApiError(6002)
        }
        await trySignIn(app, owner.email, request, async (first) =>
          (await app.passwords.fits(owner.password_hash, input.password, first)) ? owner : null,
        )
        request.setCookie(rememberDevice(app, owner.email, request.cookie))
        const token = await inTransaction(app, async (tx) => {
          const opened = await redeem(app, tx, row, request.user_agent)
          if (opened !== null) await connect(tx, { provider, subject, uid: row.uid, confirmed: true })
          return opened
        })
        if (token === null) throw reused()
        return token
      },
      run: ({ prepared }) => Promise.resolve({ access_token: prepared }),
    }),
  ]
}
