// Every kind of event with what its noun says of it. Apart from the nouns' questions: what is live must not load the shapes of every call.
import { scopeCtx } from '../context.ts'
import { keys } from '../keys.ts'
import type { Heard } from '../live/run.ts'
import { announcementEvents } from './announcement.events.ts'
import { groupEvents } from './group.events.ts'
import { membershipEvents } from './membership.events.ts'
import { notificationEvents } from './notification.events.ts'
import { organizationEvents } from './organization.events.ts'
import { profileEvents } from './profile.events.ts'
import { signalEvents } from './signal.events.ts'
import { strategyEvents } from './strategy.events.ts'
import { webhookEvents } from './webhook.events.ts'

/** What the stream cannot tell any more is read anew: nobody's noun, everybody's answers. */
const resetEvent: Heard<'reset'> = ({ memory, on_device, catch_up, ask }) => ({
  reset(_ctx, { scope }) {
    const ctx = scopeCtx(scope)
    ask(keys.all(ctx), keys.person.all)
    if (ctx === memory.current()) void catch_up.rebuild(ctx)
    else {
      catch_up.forget(ctx)
      on_device.saveFeed(ctx, null)
    }
  },
})

export const heard: Heard = (hands) => ({
  ...signalEvents(hands),
  ...strategyEvents(hands),
  ...webhookEvents(hands),
  ...membershipEvents(hands),
  ...organizationEvents(hands),
  ...groupEvents(hands),
  ...announcementEvents(hands),
  ...profileEvents(hands),
  ...notificationEvents(hands),
  ...resetEvent(hands),
})
