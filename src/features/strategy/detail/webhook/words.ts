/* Words of webhooks and deliveries: senders, verdicts, what a message was read as, the request as a curl command. */
import { type Delivery, type Outcome, reasonsAt, type Webhook } from '#contract/webhook.ts'
import { full, price } from '#text/format.ts'
import { OUTCOME_WORDS, positionAs, REASON_WORDS, sizeAs, tradedAs } from '#text/webhook.ts'
import { ACTION_WORDS } from '#trading/record-words.ts'
import type { IconName } from '#ui/Icon.tsx'
import type { TagTone } from '#ui/Tag.tsx'

/** Who writes the messages, where that decides how their words are meant, or that files are handed on. */
export const SENDER_OPTIONS = [
  { value: 'auto', label: 'TradingView 或其他' },
  { value: 'xq', label: 'XQ' },
  { value: 'multicharts', label: 'MultiCharts' },
] as const satisfies readonly { value: Webhook['format']; label: string }[]
export const senderOf = (format: Webhook['format']) =>
  SENDER_OPTIONS.find(({ value }) => value === format) ?? SENDER_OPTIONS[0]

/** Chip of a verdict. */
export type VerdictChip = { text: string; tone: TagTone; icon: IconName }
const LOOKS: Record<Outcome, Omit<VerdictChip, 'text'>> = {
  accepted: { tone: 'good', icon: 'check' },
  late: { tone: 'warn', icon: 'clock' },
  duplicate: { tone: 'neutral', icon: 'duplicate' },
  ignored: { tone: 'neutral', icon: 'minus' },
  held: { tone: 'warn', icon: 'clock' },
  rejected: { tone: 'danger', icon: 'close' },
}
/** Shut out before anybody read the message. */
const SHUT_OUT = reasonsAt('closed', 'sender')

/** A test is no signal, and no count holds it. */
export const TRIED: VerdictChip = { text: '測試', tone: 'neutral', icon: 'send' }

/** The verdict of a delivery; what was not taken says why in a word. */
export function verdictOf({ outcome, reason_code }: Pick<Delivery, 'outcome' | 'reason_code'>): VerdictChip {
  const text = reason_code && outcome !== 'held' ? REASON_WORDS[reason_code] : OUTCOME_WORDS[outcome]
  return { ...LOOKS[outcome], text, ...(SHUT_OUT.has(reason_code) && { icon: 'lock' }) }
}

/** The understood form as lines: name and value. */
export function normalRows(normal: NonNullable<Delivery['normal']>) {
  const { symbol } = normal
  const rows: [string, string | null][] = [
    ['商品', tradedAs(normal)],
    ['動作', normal.action && ACTION_WORDS[normal.action]],
    ['數量', normal.quantity === null ? null : sizeAs(symbol, normal.quantity)],
    ['目標部位', normal.target_position === null ? null : positionAs(symbol, normal.target_position)],
    ['原部位', normal.reported_prev === null ? null : positionAs(symbol, normal.reported_prev)],
    ['價格', normal.price === null ? null : price(normal.price)],
    ['時間', normal.occurred_at && full(normal.occurred_at)],
    ['編號', normal.external_id],
    ['備註', normal.note],
  ]
  return rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
}

/** One shell word: single quotes, with those inside written as '\''. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The request as a command to send it again by hand. */
export function curlOf(delivery: Pick<Delivery, 'body' | 'content_type'>, url: string): string {
  // What is kept is the message itself, taken out of its form.
  const kind = /form/i.test(delivery.content_type) ? 'text/plain; charset=utf-8' : delivery.content_type
  return `curl -X POST ${quoted(url)} -H ${quoted(`Content-Type: ${kind}`)} --data-binary ${quoted(delivery.body ?? '')}`
}

/** https://host/hooks/k7Qm…8wZa: enough to tell two apart, not enough to send. */
export function maskedUrl(url: string): string {
  const cut = url.lastIndexOf('/') + 1
  const token = url.slice(cut)
  return `${url.slice(0, cut)}${token.slice(0, 4)}…${token.slice(-4)}`
}
