// The chapters of the guide in order.
import type { Group } from './topic.ts'
import { DEVICE } from './topics/device.ts'
import { NOTIFY } from './topics/notify.ts'
import { PEOPLE } from './topics/people.ts'
import { SENDERS } from './topics/senders.ts'
import { START } from './topics/start.ts'

export const GROUPS: readonly Group[] = [START, SENDERS, DEVICE, NOTIFY, PEOPLE]
