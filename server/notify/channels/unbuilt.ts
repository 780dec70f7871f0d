// Stands where a channel is not built yet, while the others are; gone with the last of them.
import type { ChannelId } from '#contract/channels.ts'
import type { Channel } from '../channel.ts'

export const unbuilt = (id: ChannelId): Channel => ({
  id,
  receivers: 'rows',
  gathers: false,
  rests: true,
  confirms: true,
  pace: { at_once: 1, per_receiver_ms: 0, per_second: 1 },
  unavailable: () => '這台伺服器沒有設定',
  send: () => Promise.resolve({ kind: 'refused', reason: '這台伺服器沒有設定' }),
})
