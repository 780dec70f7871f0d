// The consent page's two calls, and the list of connected applications.
import { ApiError } from '#contract/errors.ts'
import { decideInteraction, listGrants, readInteraction, revokeGrant } from '#contract/oauth.ts'
import type { App } from '../context.ts'
import { handle, type Route } from '../http/handle.ts'
import { endGrant, grantsOf } from './grants.ts'
import { approve, deny, readAsked, shown } from './interactions.ts'
import { hashed } from './store.ts'

export function oauthRoutes(app: App): Route[] {
  return [
    handle(app, readInteraction, async ({ actor, input, request }) =>
      shown(await readAsked(app, input.uid, request.cookie), actor),
    ),

    // The library writes by itself, on the one connection a transaction would hold.
    handle(app, decideInteraction, {
      async prepare({ actor, input, request }) {
        const asked = await readAsked(app, input.uid, request.cookie)
        if (input.decision === 'deny') return deny(asked)
        return approve(asked, actor.uid, input.scopes)
      },
      run: ({ prepared }) => Promise.resolve({ go_to: prepared }),
    }),

    handle(app, listGrants, ({ tx, actor }) => grantsOf(app, tx.db, actor.uid, tx.at)),

    handle(app, revokeGrant, async ({ tx, actor, input }) => {
      if (!(await endGrant(app, tx, actor.uid, hashed(input.id)))) throw new ApiError(4040)
      return null
    }),
  ]
}
