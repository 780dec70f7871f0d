// What is inside a push message (wire.md §8): a Declarative Web Push that a browser can show by itself, and the record for the worker.
import { PUSH_BYTES } from '#contract/limits.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { OutgoingMessage } from '../../channel.ts'

/** The text of a shortened message. */
const BODY_LENGTH = 240

interface Cut {
  body(text: string): string
  record(record: SignalRecord): SignalRecord | null
}

const cut = (text: string) => {
  const letters = [...text]
  return letters.length > BODY_LENGTH ? `${letters.slice(0, BODY_LENGTH - 1).join('')}…` : text
}

/** From whole to shortest. What the record loses, the device reads from the feed as soon as it is online. */
const CUTS: readonly Cut[] = [
  { body: (text) => text, record: (record) => record },
  { body: cut, record: (record) => ({ ...record, note: null }) },
  {
    body: cut,
    record: (record) => ({ ...record, note: null, reason: null, external_id: null, symbol_raw: null }),
  },
  { body: cut, record: () => null },
  { body: () => '', record: () => null },
]

/** What a device shows in one place: a newer signal of a strategy takes the place of the older one. */
export function tagOf({ kind, strategy_id, notification_id, key }: OutgoingMessage): string {
  if (kind === 'test') return 'test'
  if (kind !== 'signal') return `${kind}:${notification_id ?? key}`
  return strategy_id === null ? 'signals' : `strategy:${strategy_id}`
}

/** The message in ever shorter forms, those that are too long left out. */
export function payloadsOf(uid: string, message: OutgoingMessage): string[] {
  const { words, record, read = [] } = message
  const forms = CUTS.map(({ body, record: shortened }) =>
    JSON.stringify({
      web_push: 8030,
      notification: {
        title: words.title,
        body: body(words.lines.join('\n')),
        navigate: message.url,
        lang: 'zh-Hant',
        tag: tagOf(message),
      },
      app_badge: message.unread,
      mutable: true,
      lingbo: {
        v: 1,
        uid,
        ctx: message.ctx,
        notification_id: message.notification_id,
        delivery_id: message.key,
        kind: message.kind,
        at: message.at,
        record: record && shortened(record),
        ...(read.length > 0 && { read }),
      },
    }),
  )
  return [...new Set(forms)].filter((form) => Buffer.byteLength(form) <= PUSH_BYTES)
}
