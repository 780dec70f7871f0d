// Binding LINE, and what LINE sends here.
import { bindLine, getLineBinding, lineUpdates, unbindLine } from '#contract/binding.ts'
import { ApiError } from '#contract/errors.ts'
import type { App } from '../../../context.ts'
import { handle, type Route } from '../../../http/handle.ts'
import { handleSigned } from '../../../http/signed.ts'
import { bindingOf, confirmChat, makeCode, unbindAll } from '../../binding.ts'
import { basicId, hasLine, knownId, requireLine } from './api.ts'
import { isSigned } from './signature.ts'
import { takeEvents } from './updates.ts'
import { BIND } from './words.ts'

export function lineRoutes(app: App): Route[] {
  const side = (id: string | null) => ({
    channel: 'line' as const,
    available: hasLine(app),
    linkOf: (code: string) =>
      id === null
        ? null
        : `https://line.me/R/oaMessage/${encodeURIComponent(id)}/?${encodeURIComponent(`${BIND} ${code}`)}`,
  })
  const refuse = () => new ApiError(4010, { msg: 'signature missing or wrong' })
  return [
    handle(app, bindLine, {
      async prepare({ input: { confirm }, actor }) {
        requireLine(app)
        if (confirm === undefined) await app.limits.take('bind', actor.uid)
        return basicId(app)
      },
      async run({ input: { confirm }, actor, tx, prepared }) {
        // What is bound is said here: a message there would be one of the month's.
        if (confirm === undefined) await makeCode(app, tx, actor, 'line')
        else await confirmChat(app, tx, actor, 'line', confirm)
        return bindingOf(app, tx.db, actor.uid, side(prepared), tx.at)
      },
    }),

    handle(app, getLineBinding, async ({ actor, tx }) =>
      bindingOf(app, tx.db, actor.uid, side(hasLine(app) ? await knownId(app, tx.db) : null), tx.at),
    ),

    handle(app, unbindLine, async ({ actor, tx }) => {
      requireLine(app)
      await unbindAll(tx, actor.uid, 'line')
      return null
    }),

    handleSigned(app, lineUpdates, {
      admit(headers) {
        requireLine(app)
        if (!headers.has('x-line-signature')) throw refuse()
      },
      prove(headers, bytes) {
        const secret = app.config.line_channel_secret ?? ''
        if (!isSigned(secret, bytes, headers.get('x-line-signature'))) throw refuse()
      },
      run: ({ events }) => takeEvents(app, events),
    }),
  ]
}
