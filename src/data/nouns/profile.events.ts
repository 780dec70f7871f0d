// Something of the person was changed, here or on another device.
import { keys } from '../keys.ts'
import type { Heard } from '../live/run.ts'

export const profileEvents: Heard<'profile' | 'setting'> = ({ ask }) => ({
  profile: () => ask(keys.person.all),
  setting: () => ask(keys.person.all),
})
