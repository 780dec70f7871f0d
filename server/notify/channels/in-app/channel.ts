// 站內: the inbox. The row is the message, and the event stream carries it; nothing is sent.
import type { Channel } from '../../channel.ts'

export const inApp: Channel = {
  id: 'in_app',
  receivers: 'inbox',
  gathers: false,
  rests: false,
  confirms: true,
  pace: { at_once: 1, per_receiver_ms: 0, per_second: 1_000 },
  unavailable: () => null,
  send: () => Promise.resolve({ kind: 'sent' }),
}
