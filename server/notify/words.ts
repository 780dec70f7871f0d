// What a notification says, at each privacy level (wire.md §8, domain.md §7.7): the same words on every channel.
import type { PrivacyLevel } from '#contract/channels.ts'
import { CHAT_TEXT } from '#contract/limits.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { dayWords, taipei } from '#trading/calendar.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import { contractWord } from '#trading/products.ts'
import { isRedacted } from '#trading/record.ts'
import { positionText, quantityWords, STATUS_WORDS, signalWords } from '#trading/record-words.ts'
import { number, signed } from '#trading/written.ts'
import type { OutgoingMessage, Words } from './channel.ts'
import type { Total } from './totals.ts'

const NEW_ONLY: Words = { title: '新訊號', lines: [] }

/** What a void or correction is about, so that the person knows which one: several of a product may stand in a day. */
export type Original = Pick<SignalRecord, 'occurred_at' | 'price'>

/** What the words of a record say beside it: what it points at, and of an exit 累計. */
interface Beside {
  readonly original?: Original | null
  readonly total?: Total | null
}

/** The words of a record. `symbol_only` names the product alone, `new_only` nothing. */
export function wordsOfSignal(
  record: SignalRecord,
  strategy: string,
  level: PrivacyLevel,
  { original = null, total = null }: Beside = {},
): Words {
  if (level === 'new_only') return NEW_ONLY
  const product = record.symbol_name || record.symbol
  if (level === 'symbol_only') return product === '' ? NEW_ONLY : { title: '新訊號', lines: [product] }
  if (isPointer(record)) return wordsOfPointer(record, strategy, isRedacted(record) ? null : original)
  const { derived, unit, asset } = record
  const { word: did } = signalWords({ asset, ...derived })
  const moved = Math.abs(derived.position_after - derived.position_before)
  const { quantity, unit: word } = quantityWords(
    record.quantity ?? (derived.effect === 'reverse' ? Math.abs(derived.position_after) : moved),
    unit,
  )
  const price = derived.price_used ?? record.price
  const what = [
    product,
    contractWord(record.contract),
    `${quantity}${word && ` ${word}`}`,
    price === null
      ? '待補價'
      : `@ ${written(price)}${derived.status === 'price_suspect' ? `（${STATUS_WORDS.price_suspect}）` : ''}`,
  ]
  const position = `部位 ${positionText(derived.position_before, asset)} → ${positionText(derived.position_after, asset)}`
  return {
    title: `${strategy} · ${did}`,
    lines: [
      what.filter((part) => part !== '').join(' '),
      `${position}｜${clock(record.occurred_at)}${lateWords(record)}`,
      ...(derived.realised_pnl === null
        ? []
        : [`本筆損益 ${signed(derived.realised_pnl)} 元${totalWords(total)}`]),
      ...(record.note ? [`備註：${record.note}`] : []),
    ],
  }
}

/** A void or correction: what it says of another record. */
function wordsOfPointer(record: SignalRecord, strategy: string, original: Original | null): Words {
  const voids = record.source === 'void'
  const confirms = !voids && record.price !== null && record.price === original?.price
  const { quantity, unit } = quantityWords(record.quantity, record.unit)
  const was = original?.price == null ? '' : written(original.price)
  const what = [
    record.symbol_name || record.symbol,
    contractWord(record.contract),
    ...(original === null ? [] : [`${quantity}${unit && ` ${unit}`}`, voids && was !== '' ? `@ ${was}` : '']),
  ].filter((part) => part !== '')
  return {
    title: `${strategy} · ${voids ? '作廢一筆訊號' : confirms ? '確認一筆訊號的價格' : '更正一筆訊號'}`,
    lines: [
      ...(isRedacted(record) || what.length === 0 ? [] : [what.join(' ')]),
      ...(original === null ? [] : [`原訊號 ${clock(original.occurred_at)}`]),
      ...(record.price === null || voids
        ? []
        : [`訊號價 ${was === '' || confirms ? '' : `${was} → `}${written(record.price)}`]),
      ...(record.reason ? [`原因：${record.reason}`] : []),
      ...(record.note ? [`備註：${record.note}`] : []),
    ],
  }
}

/** Several that were due together: how many, and of what. */
export function wordsOfMany(all: readonly Words[], level: PrivacyLevel): Words {
  const title = `${number(all.length)} 則新通知`
  if (level !== 'full') return { title, lines: [] }
  const shown = all.slice(-SHOWN).map(({ title, lines }) => [title, lines[0]].filter(Boolean).join('：'))
  return { title, lines: all.length > SHOWN ? [...shown, `…還有 ${number(all.length - SHOWN)} 則`] : shown }
}
const SHOWN = 5

/** What is not about a record: shortened it says only that something is there. */
export function wordsOfText(title: string, body: string, level: PrivacyLevel): Words {
  if (level !== 'full') return { title: '凌波有新通知', lines: [] }
  return { title, lines: body === '' ? [] : body.split('\n') }
}

/** A price as it is written. */
export function written(price: number): string {
  const [, fraction = ''] = String(price).split('.')
  return number(price, fraction.length)
}

/** Domain §5.3, rule 4: by how much, in whole minutes; who flagged it late may count from less than one. */
function lateWords({ flags, occurred_at, received_at }: SignalRecord): string {
  if (!flags.includes('late')) return ''
  const minutes = Math.floor((Date.parse(received_at) - Date.parse(occurred_at)) / 60_000)
  return `（延遲 ${number(Math.max(1, minutes))} 分鐘）`
}

/** Whoever may not know what was before their first day is told from when on it counts (ruling A11). */
function totalWords(total: Total | null): string {
  if (total === null) return ''
  const from = total.since === null ? '' : `自 ${dayWords(total.since)} 起`
  return `｜${from}累計 ${signed(total.net)} 元`
}

function clock(at: string): string {
  const { date, time } = taipei(at)
  return `${date.slice(5).replace('-', '/')} ${time}`
}

// A message as plain text, as chats show it.

/** The words in the form of domain §7.7, 【策略】動作 in the first line, and where to look. */
export function textOf({
  words: { title, lines },
  url,
  kind,
}: Pick<OutgoingMessage, 'words' | 'url' | 'kind'>): string {
  // An organization may have the sign in its name.
  const cut = kind === 'signal' || kind === 'alarm' ? title.lastIndexOf(' · ') : -1
  const head = cut < 0 ? title : `【${title.slice(0, cut)}】${title.slice(cut + 3)}`
  const text = [head, ...lines].join('\n')
  const room = CHAT_TEXT - url.length - 2
  return `${text.length > room ? `${text.slice(0, room).replace(/[\uD800-\uDBFF]$/, '')}…` : text}\n${url}`
}
