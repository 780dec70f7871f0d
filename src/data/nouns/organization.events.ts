// An organization was changed; the profile names it, too.
import { keys } from '../keys.ts'
import type { Heard } from '../live/run.ts'

export const organizationEvents: Heard<'organization'> = ({ ask }) => ({
  organization(ctx, { change }) {
    ask(keys.person.profile, keys.organization.all(ctx))
    // The first page says how many requests wait.
    if (change === 'join_requests') ask(keys.dashboard(ctx))
  },
})
