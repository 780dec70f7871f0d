// A group was changed; the organization counts them.
import { keys } from '../keys.ts'
import type { Heard } from '../live/run.ts'

export const groupEvents: Heard<'group'> = ({ ask }) => ({
  group: (ctx) => ask(keys.group.all(ctx), keys.organization.all(ctx)),
})
