// Something was told to the person, read somewhere, or a channel was bound.
import { keys } from '../keys.ts'
import type { Heard } from '../live/hands.ts'

export const notificationEvents: Heard<'notification' | 'notification-read' | 'telegram'> = ({ ask }) => ({
  notification: () => ask(keys.person.all),
  'notification-read': () => ask(keys.person.all),
  telegram: () => ask(keys.person.all),
})
