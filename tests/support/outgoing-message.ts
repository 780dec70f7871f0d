// An outgoing message as the deliverer hands it to a channel, and the person it is for.
import type { OutgoingMessage, Receiver } from '#server/notify/channel.ts'

/** A signal's message; `more` says what is different. */
export function outgoingMessageOf(more: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    key: '01990000-0000-7000-8000-000000000001',
    kind: 'signal',
    words: {
      title: '台指突破 · 多單進場',
      lines: ['小型臺指 近月 2 口 @ 46,512', '部位 0 → +2｜11/20 09:15:00'],
    },
    count: 1,
    notification_id: '01990000-0000-7000-8000-000000000002',
    strategy_id: '01990000-0000-7000-8000-000000000003',
    url: 'https://lingbo.example/signals?signal=1&org=personal',
    ctx: 'personal',
    record: null,
    urgent: false,
    attention: 1,
    at: new Date().toISOString(),
    ...more,
  }
}

export function receiverOf(address: string, more: Partial<Receiver> = {}): Receiver {
  const uid = '01990000-0000-7000-8000-00000000000a'
  return { id: uid, uid, address, name: '林小波', config: {}, ...more }
}
