/* Words of webhooks and deliveries: senders, verdicts, what a message was read as, the request as a curl command. */
import { type Delivery, type Outcome, reasonsAt, type Webhook } from '#contract/webhook.ts'
import { full, price } from '#text/format.ts'
import { OUTCOME_WORDS, positionAs, REASON_WORDS, sizeAs, tradedAs } from '#text/webhook.ts'
import { ACTION_WORDS } from '#trading/record-words.ts'
import type { CodePart } from '#ui/CodeBlock.tsx'
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

/* A message's own text with its values marked: those of an object found by their key paths, those of a line one after the other. */

/** `as` what the value is; null only takes its place: what comes behind it is looked for behind it. */
export type Marked = { path: string; value: string; as: string | null }

type Span = { from: number; to: number }

/** The text in parts; `wrong` is the path of a value to be marked as the one that is to blame; `pressed` which values get their path as a name. */
export function marked(
  body: string,
  values: readonly Marked[],
  wrong: string | null = null,
  pressed: 'none' | 'marked' | 'all' = 'none',
): CodePart[] {
  const leaves = leavesIn(body)
  const found: (Span & { part: (text: string) => CodePart })[] = []
  const add = (span: Span | undefined, part: (text: string) => CodePart) => {
    if (span && span.to > span.from && !found.some((one) => one.from < span.to && span.from < one.to))
      found.push({ ...span, part })
  }
  let behind = 0
  for (const { path, value, as } of values) {
    const place = /^#\d/.test(path)
    const span = place ? textAt(body, value, behind) : (leaves.get(path) ?? named(body, path))
    if (place && span) behind = span.to
    if ((as !== null || pressed === 'all') && path !== wrong)
      add(span, (text) => ({ text, as: as ?? '', ...(pressed !== 'none' && { at: path }) }))
  }
  if (wrong !== null)
    add(leaves.get(wrong) ?? named(body, wrong), (text): CodePart => ({ text, kind: 'mark' }))
  found.sort((a, b) => a.from - b.from)
  const parts: CodePart[] = []
  let at = 0
  for (const { from, to, part } of found) {
    if (from > at) parts.push(body.slice(at, from))
    parts.push(part(body.slice(from, to)))
    at = to
  }
  return at < body.length ? [...parts, body.slice(at)] : parts
}

/** Full-width signs in their usual width, in their places. */
const halved = (text: string) =>
  text.replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))

/** The first place of a text from `from` on that is no part of a longer word or figure. */
function textAt(body: string, value: string, from: number): Span | undefined {
  if (value === '') return undefined
  const [text, wanted] = [halved(body), halved(value)]
  const joins = (a = '', b = '') => /\w/.test(a) && /\w/.test(b)
  for (let at = text.indexOf(wanted, from); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const to = at + wanted.length
    if (!joins(text[at - 1], wanted[0]) && !joins(wanted.at(-1), text[to])) return { from: at, to }
  }
  return undefined
}

/** `name: value` or `name=value`, where the text is no object as machines write them. */
function named(body: string, path: string): Span | undefined {
  const name = (path.split('.').at(-1) ?? path).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const found = new RegExp(
    `(\\\\?["']?${name}\\\\?["']?\\s*[:=]\\s*)("(?:[^"\\\\]|\\\\.)*"|\\\\".*?\\\\"|'[^']*'|[^,;&}\\n]+)`,
    'i',
  ).exec(body)
  if (!found) return undefined
  const from = found.index + (found[1]?.length ?? 0)
  return inside(body, { from, to: from + (found[2]?.trimEnd().length ?? 0) })
}

/** Without the quotes around it. */
function inside(body: string, { from, to }: Span): Span {
  const quote = /^\\?["']/.exec(body.slice(from, to))?.[0] ?? ''
  return quote !== '' && body.slice(from, to).endsWith(quote) && to - from > quote.length
    ? { from: from + quote.length, to: to - quote.length }
    : { from, to }
}

/** Where the leaves of an object stand, by their paths; as far as it can be followed. */
function leavesIn(body: string): Map<string, Span> {
  const spans = new Map<string, Span>()
  const token = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*"|'[^']*'|[^\s{}[\],:"']+))/y
  token.lastIndex = Math.max(0, body.search(/[{[]/))
  const next = () => {
    const found = token.exec(body)
    if (!found) return null
    const to = token.lastIndex
    return {
      sign: found[1] ?? null,
      text: found[2] ?? '',
      from: to - (found[1] ?? found[2] ?? '').length,
      to,
    }
  }
  const key = (text: string) => text.replace(/^["']|["']$/g, '')
  const value = (path: string): boolean => {
    const first = next()
    if (first === null) return false
    if (first.sign === null) {
      spans.set(path, inside(body, first))
      return true
    }
    const list = first.sign === '['
    if (!list && first.sign !== '{') return false
    for (let i = 0; ; i++) {
      const before = token.lastIndex
      const head = next()
      if (head === null) return false
      if (head.sign === ']' || head.sign === '}') return true
      let name = String(i)
      if (list) token.lastIndex = before
      else {
        if (head.sign !== null || next()?.sign !== ':') return false
        name = key(head.text)
      }
      if (!value(path === '' ? name : `${path}.${name}`)) return false
      const end = next()
      if (end?.sign === '}' || end?.sign === ']') return true
      if (end?.sign !== ',') return false
    }
  }
  value('')
  return spans
}
