// Somebody joined, moved or left an organization; or it is over for the person here.
import type { Ctx } from '../context.ts'
import { keys } from '../keys.ts'
import type { Heard } from '../live/run.ts'

export const membershipEvents: Heard<'membership' | 'context-revoked'> = ({
  memory,
  catch_up,
  uid,
  ask,
  forget,
  on_revoked,
}) => ({
  membership(_ctx, { organization_id, user_id, change }) {
    const ctx: Ctx = `org:${organization_id}`
    ask(keys.all(ctx), keys.person.organizations)
    if (user_id !== uid()) return
    ask(keys.person.profile)
    // Only the current context can be asked about what may stay: the rest is read anew when it is entered.
    if (ctx === memory.current()) void catch_up.run(ctx)
    else if (change !== 'added') forget(ctx)
  },
  'context-revoked'(_ctx, { organization_id, reason }) {
    const ctx: Ctx = `org:${organization_id}`
    on_revoked(organization_id, reason)
    forget(ctx)
    ask(keys.person.profile, keys.person.organizations)
  },
})
