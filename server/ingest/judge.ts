// From bytes to a verdict: may it come in, is it readable, what signal would it make. Writes nothing.

import { timingSafeEqual } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { BODY_KEPT_BYTES } from '#contract/limits.ts'
import type { Mapping, Outcome, ReasonCode } from '#contract/webhook.ts'
import { taipeiDay } from '#trading/calendar.ts'
import { unitOf } from '#trading/kinds.ts'
import type { MessageOutcome } from '#trading/reader/format.ts'
import { readPayload } from '#trading/reader/generic.ts'
import { type Formats, proposeFormat, readMessage } from '#trading/reader/read.ts'
import type { PayloadInput, PayloadStrategy, Reading, ReadSignal } from '#trading/reader/shape.ts'
import type { Flag, NormalSignal } from '#trading/record.ts'
import { sequenceNumber } from '#trading/sender-count.ts'
import { settingsOf } from '../db/query.ts'
import type { StrategyRow, WebhookRow } from '../db/schema.ts'
import { sha256 } from '../ids.ts'
import type { OpenedBody } from './body.ts'

// What of a body is kept: its text without secrets, base64 of what is no text, and of what nobody can read only the beginning.

interface BodyKept {
  body: string | null
  body_encoding: 'utf-8' | 'base64'
  body_sha256: string
  body_cut: boolean
}

function keepBody(opened: OpenedBody): BodyKept {
  const { text, bytes } = opened
  if (text !== null) return keptText(text)
  if (bytes === null) return { body: null, body_encoding: 'utf-8', body_sha256: '', body_cut: false }
  const body = Buffer.from(bytes).toString('base64')
  return { body, body_encoding: 'base64', body_sha256: sha256(bytes), body_cut: false }
}

/** The same without what `clean` takes out of a text: a refused message may hold a secret as well as a taken one. */
function keepCleanBody(opened: OpenedBody, clean: (text: string) => string): BodyKept {
  if (opened.text !== null) return keptText(clean(opened.text))
  if (opened.bytes === null) return keepBody(opened)
  // One sign per byte there and back, so that what is no text can be looked through like one.
  const signs = Buffer.from(opened.bytes).toString('latin1')
  const seen = signs.replaceAll('\0', '')
  const found = clean(seen)
  return found === seen ? keepBody(opened) : keepBody({ ...opened, bytes: Buffer.from(found, 'latin1') })
}

/** Of what could not be read at all the beginning is enough to see what it is (wire §5). */
export function cut<K extends BodyKept>(kept: K, code: ReasonCode | null): K {
  if (kept.body === null || (code !== 'unreadable' && code !== 'bad_encoding')) return kept
  const base64 = kept.body_encoding === 'base64'
  const bytes = Buffer.from(kept.body, base64 ? 'base64' : 'utf8')
  if (bytes.byteLength <= BODY_KEPT_BYTES) return kept
  const head = bytes.subarray(0, BODY_KEPT_BYTES)
  // No half of a character at the end.
  const body = base64 ? head.toString('base64') : head.toString('utf8').replace(/\ufffd+$/, '')
  return { ...kept, body, body_cut: true }
}

function keptText(text: string): BodyKept {
  return { body: text, body_encoding: 'utf-8', body_sha256: sha256(text), body_cut: false }
}

/** A webhook with its JSON columns read, and the part of its strategy that decides reading. */
export interface WebhookSource {
  webhook: WebhookRow
  strategy: PayloadStrategy
  /** What its messages are read by; null = by its settings alone, as they are read before anybody has confirmed anything. */
  formats: Formats | null
  /** Shapes that were taken before there were formats, and that wait to be confirmed since. */
  taken_before?: ReadonlySet<string> | undefined
  /** `archived`: strategy archived or deleted; `disabled`: webhook off or gone; `rotated`: the URL was replaced. */
  closed: 'archived' | 'disabled' | 'rotated' | null
  /** Days without trading, which move the last trading day of a month. */
  closed_days?: ReadonlySet<string>
}

export interface Verdict extends BodyKept {
  outcome: Exclude<Outcome, 'duplicate'>
  reason_code: ReasonCode | null
  reason: string | null
  field: string | null
  normal: NormalSignal | null
  dedupe_key: string | null
  /** How long an equal key is a duplicate; 0 = the key only marks 可能重複. */
  dedupe_window_ms: number
  /** Hash of the body that has to be equal besides the key; null = the key alone decides (ruling C39). */
  dedupe_body: string | null
  /** Why an equal key is no further signal, where that is a setting and not the message itself. */
  dedupe_why: string | null
  signal: ReadSignal | null
  /** The confirmed format that read it. */
  format_id: string | null
  /** It is of none: what one confirmation of it would take, and the confirmed one that lacks only a word of it. */
  asks: { shape: string; extends: string | null } | null
  flags: Flag[]
  /** What each leaf of the message became; not stored. */
  reading: readonly Reading[]
}

/** The sender's own number of a message, where its webhook's mapping says which field it is. */
export function sequenceIn({ mapping }: Pick<WebhookRow, 'mapping'>, { reading }: Verdict): number | null {
  if (mapping === null || reading.length === 0) return null
  const path = storedMapping(mapping)?.sequence
  return path === undefined ? null : sequenceNumber(reading.find((one) => one.path === path)?.value)
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** Judges one opened message against its webhook; never throws. */
export function judge(source: WebhookSource, opened: OpenedBody, ip: string, received_at: string): Verdict {
  const verdict = judged(source, opened, ip, received_at)
  return cut(verdict, verdict.reason_code)
}

/** Hex SHA-256 of a body without the blanks around it: what makes two bodies equal. `whole` is the hash of all of it. */
export function trimmedHash(body: string, whole?: string): string {
  const trimmed = body.trim()
  return whole !== undefined && trimmed.length === body.length ? whole : sha256(trimmed)
}

function judged(source: WebhookSource, opened: OpenedBody, ip: string, received_at: string): Verdict {
  const { webhook, strategy, closed, closed_days } = source
  const kept = keepBody(opened)
  const readText = (body: string) =>
    readBy(source, {
      body,
      format: webhook.format as PayloadInput['format'],
      mapping: storedMapping(webhook.mapping),
      unparsed_rule: webhook.unparsed_rule ? JSON.parse(webhook.unparsed_rule) : null,
      received_at,
      strategy,
      ...(closed_days && { closed_days }),
    })
  const clean = (body: string) => {
    const { read } = readText(body)
    return read.kind === 'heartbeat' ? body : read.body_without_secret
  }
  const refuse = (code: ReasonCode, reason: string, more: Partial<Verdict> = {}): Verdict => ({
    outcome: 'rejected',
    reason_code: code,
    reason,
    field: null,
    normal: null,
    dedupe_key: null,
    dedupe_window_ms: 0,
    dedupe_body: null,
    dedupe_why: null,
    signal: null,
    format_id: null,
    asks: null,
    flags: [],
    reading: [],
    ...kept,
    ...more,
  })
  // Before anything is looked at: a closed door tells the same story whatever is in the letter.
  const turnBack = (code: ReasonCode, reason: string) => refuse(code, reason, keepCleanBody(opened, clean))
  if (closed === 'archived') return turnBack('archived', '策略已封存，不再接收訊號；要繼續使用請先恢復策略')
  if (closed === 'disabled') return turnBack('disabled', '這個 webhook 已停用，請到策略的設定頁啟用')
  if (closed === 'rotated') return turnBack('disabled', '這是換掉的舊網址，請到策略的設定頁複製新的網址')
  if (!ipAllowed(webhook.ip_allow, ip)) {
    return turnBack('ip_not_allowed', `來源 IP ${ip} 不在允許名單，請到策略的設定頁加入`)
  }
  const { text, fault } = opened
  if (fault !== null) return { ...turnBack(fault.code, fault.reason), field: fault.field }
  const { read, asks } = readText(text)
  if (read.kind === 'heartbeat') {
    return refuse('heartbeat', '心跳訊息，不是訊號', { outcome: 'ignored' })
  }
  const told = read.body_without_secret
  const safe = { body: told, body_sha256: told === text ? kept.body_sha256 : sha256(told) }
  if (webhook.secret_hash !== null && !secretFits(webhook.secret_hash, read.secret)) {
    const reason =
      read.secret === null ? '訊息沒有密語；這個 webhook 要求在訊息裡附上 secret' : '訊息的密語不正確'
    return refuse('bad_secret', reason, { ...safe, field: 'secret' })
  }
  if (read.kind === 'rejected') {
    const { reason_code, reason, field, normal, reading } = read
    return refuse(reason_code, reason, { ...safe, field, normal, reading })
  }
  if (read.kind === 'held') {
    const { reason, field, normal, reading } = read
    return refuse('unconfirmed_format', reason, { ...safe, outcome: 'held', field, normal, reading, asks })
  }
  if (read.kind === 'ignored') {
    const { reason_code, reason, field, normal, reading } = read
    return refuse(reason_code, reason, { ...safe, outcome: 'ignored', field, normal, reading })
  }
  const body_key = trimmedHash(told, safe.body_sha256)
  const once = strategy.dedupe_per_day ? onceADay(read.signal) : null
  const [dedupe_key, dedupe_window_ms] =
    once !== null
      ? [once.key, DAY_MS]
      : read.dedupe === null
        ? [`equal:${body_key}`, 0]
        : read.dedupe.by === 'id_time'
          ? [`id:${read.dedupe.key}`, DAY_MS]
          : [`body:${body_key}`, MINUTE_MS]
  return {
    outcome: read.flags.includes('late') ? 'late' : 'accepted',
    reason_code: null,
    reason: null,
    field: null,
    normal: read.normal,
    ...kept,
    ...safe,
    dedupe_key:
      dedupe_key.length > 300 || dedupe_key.includes('\0') ? `hash:${sha256(dedupe_key)}` : dedupe_key,
    dedupe_window_ms,
    dedupe_body: once || (read.dedupe?.by === 'id_time' && read.dedupe.unique) ? null : body_key,
    dedupe_why: once?.why ?? null,
    signal: read.signal,
    format_id: read.format_id,
    asks,
    flags: asks ? [...read.flags, 'unconfirmed_format'] : read.flags,
    reading: read.reading,
  }
}

/**
 * By confirmed formats. A webhook from before there were any is still read without asking for a while (docs/decisions/reader.md): what nothing
 * speaks against, and what its sender wrote before and nobody could say since; never what says that nothing is to be done.
 */
function readBy(
  { formats, webhook, taken_before }: WebhookSource,
  input: PayloadInput,
): { read: MessageOutcome; asks: Verdict['asks'] } {
  const old = (): MessageOutcome => {
    const read = readPayload(input)
    return read.kind === 'signal' ? { ...read, format_id: null } : read
  }
  if (formats === null) return { read: asProposed(input), asks: null }
  const read = readMessage(input, formats)
  if (read.kind !== 'held') return { read, asks: null }
  const { shape, extends: of, unasked, denied, proposal } = read
  const asks = { shape, extends: of }
  const { formats_grace_until: until, formats_due } = webhook
  if (until === null || until <= input.received_at) return { read, asks }
  if (denied) return { read, asks }
  // What it has received is still being looked through: what can be confirmed is nobody's question yet.
  const quietly = formats_due === 1 && proposal.format !== null
  const before =
    formats_due === 1 || taken_before?.has(shape) ? old() : unasked && { ...unasked, format_id: null }
  return before?.kind === 'signal' ? { read: before, asks: quietly ? null : asks } : { read, asks }
}

/** As a person would confirm it: what nobody knows, and does not turn the order round, is not looked at. */
function asProposed(input: PayloadInput): MessageOutcome {
  const { format, outcome, reason, field } = proposeFormat({ ...input, answers: {} })
  if (format !== null && outcome?.kind === 'signal') return { ...outcome, format_id: null }
  const read = readPayload(input)
  // What the proposal says goes before what the bare reader says: it knows headings, and lines in an object.
  if (read.kind === 'heartbeat') return read
  const { normal, secret, body_without_secret, reading } = read
  if (read.kind !== 'signal' && (outcome?.kind === 'rejected' || outcome?.kind === 'ignored'))
    return { ...outcome, body_without_secret }
  if (reason === null) return read.kind === 'signal' ? { ...read, format_id: null } : read
  return {
    kind: 'rejected',
    reason_code: 'unknown_field',
    reason,
    field,
    normal,
    secret,
    body_without_secret,
    reading,
  }
}

/** What makes two signals the same one of a day (domain §7.3): code, action and the day in Taipei. */
function onceADay({ symbol, action, occurred_at }: ReadSignal): { key: string; why: string } {
  const day = taipeiDay(occurred_at)
  return {
    key: `day:${day} ${symbol} ${action}`,
    why: `${symbol} 在 ${day.replaceAll('-', '/')} 已經有一筆同樣動作的訊號；這個策略設為同一代號每日只取第一筆`,
  }
}

function secretFits(hash: string, given: string | null): boolean {
  return timingSafeEqual(Buffer.from(sha256(given ?? '')), Buffer.from(hash))
}

function ipAllowed(list_json: string, ip: string): boolean {
  if (list_json === '[]') return true
  const list = JSON.parse(list_json) as string[]
  if (list.length === 0) return true
  const plain = ip.replace(/^::ffff:/, '')
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(plain) === 0) return false
  const allowed = new BlockList()
  for (const entry of list) {
    const [address = '', prefix] = entry.split('/')
    const kind = isIP(address)
    if (kind === 0) continue
    const type = kind === 6 ? 'ipv6' : 'ipv4'
    const bits = prefix === undefined ? (kind === 6 ? 128 : 32) : Number(prefix)
    if (bits > (kind === 6 ? 128 : 32)) continue
    allowed.addSubnet(address, bits, type)
  }
  return allowed.check(plain, family)
}

// The part of a stored strategy that decides how a message is read.

/** What of the row decides reading. */
export function payloadStrategy(row: StrategyRow): PayloadStrategy {
  const strategy = settingsOf(row)
  return {
    kind: row.kind,
    ...('product_code' in strategy.settings
      ? { ...contractOf(strategy.settings), symbols: [] }
      : {
          product_code: null,
          contract_rule: null,
          contract_month: null,
          symbols: strategy.settings.symbols,
        }),
    unit: unitOf(strategy),
    direction: row.direction,
    quantity_mode: row.quantity_mode,
    default_quantity: row.default_quantity,
    on_symbol_mismatch: row.on_symbol_mismatch,
    late_after_s: row.late_after_s,
    max_position: row.max_position,
    ...('default_action' in strategy.settings && {
      default_action: strategy.settings.default_action,
      dedupe_per_day: strategy.settings.dedupe_per_day,
    }),
  }
}

const contractOf = ({
  product_code,
  contract_rule,
  contract_month,
}: Pick<PayloadStrategy, 'product_code' | 'contract_rule' | 'contract_month'>) => ({
  product_code,
  contract_rule,
  contract_month,
})

// A stored mapping as the reader takes it: keys that came later have their defaults, so that what was stored before stays valid.

/** A mapping that names nothing. */
export const EMPTY_MAPPING: Mapping = {
  fields: {},
  words: {},
  units: {},
  ignore: [],
  id_is_unique: false,
  strict: false,
}
/** By their text: a webhook's mapping comes with every message and changes once in a while. */
const read = new Map<string, Mapping>()
const READ_MOST = 2_000

/** The mapping of the column's text, whole; null for automatic reading. */
export function storedMapping(text: string | null): Mapping | null {
  if (text === null || text === '') return null
  const known = read.get(text)
  if (known) return known
  const mapping: Mapping = { ...EMPTY_MAPPING, ...(JSON.parse(text) as Partial<Mapping>) }
  if (read.size >= READ_MOST) read.clear()
  read.set(text, mapping)
  return mapping
}
