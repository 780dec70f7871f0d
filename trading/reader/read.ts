// What a message is to a webhook: read by a confirmed format, refused for what it says, or held until a person has seen it.

import { BUILT_IN } from './builtin.ts'
import { denies } from './draft.ts'
import type { ConfirmedFormat, Format, FormatField, Held, MessageOutcome, Proposal } from './format.ts'
import { readPayload } from './generic.ts'
import { compile, type Formats, match, type Near, type Parts, partsOf } from './match.ts'
import { proposeFormat } from './propose.ts'
import type { PayloadInput, ReadOutcome } from './shape.ts'
import { interpret, nameOf } from './signal.ts'
import { isDoubted, isWeightless, meaningOf } from './words.ts'

export type { Formats } from './match.ts'
export { proposeFormat } from './propose.ts'

/** A webhook's confirmed formats beside the built-in ones. `multicharts`: the sender's Sell leaves a long position. */
export function compileFormats(list: readonly ConfirmedFormat[], multicharts = false): Formats {
  return compile(
    list,
    BUILT_IN.flatMap(({ id, formats, accepts }) =>
      formats(multicharts).map((format) => ({
        id: `builtin:${id}`,
        format,
        built_in: true as const,
        ...(accepts && { accepts }),
      })),
    ),
  )
}

/** Reads a message by the confirmed formats. Never throws; received_at must be an ISO instant. */
export function readMessage(input: PayloadInput, formats: Formats): MessageOutcome {
  const text = input.body.replace(/^\uFEFF/, '').trim()
  if (text === '' || text.toUpperCase() === 'PING') return unconfirmed(readPayload(input))
  const parts = partsOf(input.body)
  const found = parts && parts.closed === null ? match(parts, formats, input.mapping !== null) : null
  if (parts && found && !('near' in found)) {
    const read = interpret(found, input, parts)
    if (read.kind === 'signal') return { ...read, format_id: found.id }
    // What contradicts itself is a matter for a person, what this strategy does not take is not.
    if (!DOUBTS.has(read.reason_code)) return read
    return held(input, parts, formats, null, found.id.startsWith('builtin:') ? null : read)
  }
  return held(input, parts, formats, found && 'near' in found ? found : null, null)
}

/** Whether a confirmed format takes a message; nothing is proposed for one that none takes. */
export function isTaken(
  { body, mapping }: Pick<PayloadInput, 'body' | 'mapping'>,
  formats: Formats,
): boolean {
  const parts = partsOf(body)
  const found = parts && parts.closed === null ? match(parts, formats, mapping !== null) : null
  return found !== null && !('near' in found)
}

const BUILT_IN_ONLY = compileFormats([])

/**
 * Reads what nobody is asked about, a row of a file: by the built-in formats, or where nothing stands beside it that nobody knows. Bare
 * figures of stock count the strategy's own unit (domain §4.8, rule 5).
 */
export function readUnasked(input: PayloadInput): ReadOutcome {
  const stock_unit = input.strategy.unit === 'share' ? 'share' : 'board_lot'
  const found = readMessage(input, { ...BUILT_IN_ONLY, answers: { stock_unit } })
  if (found.kind !== 'held') return found
  if (found.unasked) return found.unasked
  const read = readPayload(input)
  if (read.kind !== 'signal') return read
  const { normal, secret, body_without_secret, reading } = read
  const strange = found.proposal.fields.find(({ role, value }) => role === 'ignored' && value !== '')
  const reason = strange
    ? `不認得「${strange.value.slice(0, 40)}」，不確定它會不會改變這筆：請拿掉它`
    : (found.proposal.reason ?? '不確定它是不是這筆的一部分：請改用訊息範本')
  return {
    kind: 'rejected',
    reason_code: 'unknown_field',
    ...{ reason, field: strange?.path ?? null, normal, secret, body_without_secret, reading },
  }
}

/** Refusals that no confirmation would change: the message itself has to. */
const FINAL = new Set<string>(
  'empty unreadable unresolved_placeholder duplicate_key several_orders symbol_mismatch contract_ended bad_quantity bad_price bad_time test'.split(
    ' ',
  ),
)
const DOUBTS = new Set<string>('contradiction unknown_field unknown_action missing_field bad_unit'.split(' '))

/** Held with its proposal; what is no message for anybody is refused as it always was. */
function held(
  input: PayloadInput,
  parts: Parts | null,
  formats: Formats,
  near: Near | null,
  refused: ReadOutcome | null,
): MessageOutcome {
  if (parts === null) {
    const read = readPayload(input)
    if (read.kind === 'rejected' && FINAL.has(read.reason_code) && !isOrderlike(read, input)) return read
  }
  const proposal = proposeFormat({ ...input, answers: formats.answers })
  const { outcome } = proposal
  const read = proposal.format === null ? readPayload(input) : null
  if (read?.kind === 'signal' && input.unparsed_rule !== null && read.reading.length === 0)
    return unconfirmed(read)
  const base = read ?? outcome
  if (base === null || base.kind === 'heartbeat') return { kind: 'heartbeat' }
  if (read?.kind === 'ignored' && read.reason_code === 'not_a_trade')
    return { ...read, kind: 'rejected', reason_code: 'not_a_trade' }
  // A line that is only read with a person's help and that says another product needs none: no answer would change that.
  const misplaced =
    read?.kind === 'rejected' && outcome?.kind === 'rejected' && outcome.reason_code === 'symbol_mismatch'
  if (misplaced && read.reason_code === 'unreadable')
    return { ...read, reason_code: 'symbol_mismatch', reason: outcome.reason, field: outcome.field }
  if (read && read.kind !== 'signal' && read.kind !== 'heartbeat')
    if (FINAL.has(read.reason_code) && !isOrderlike(read, input)) return read
  const said = refused?.kind === 'rejected' ? refused : null
  const of = said ?? (near ? { reason: newWord(near), field: near.part.path.slice(0, 100) } : proposal)
  return {
    kind: 'held',
    proposal: said
      ? { ...proposal, format: null, reason: said.reason, field: said.field, questions: [] }
      : proposal,
    shape: said ? `${proposal.shape}!` : proposal.shape,
    extends: near !== null && addsTo(near, proposal) ? near.near : null,
    reason: of.reason ?? '第一次看到這種格式：請確認它的意思，確認以前不會成為訊號',
    field: of.field,
    unasked: said === null ? unasked(proposal) : null,
    denied: proposal.format === null && deniedIn(parts),
    normal: proposal.format === null ? null : base.normal,
    secret: base.secret,
    body_without_secret: base.body_without_secret,
    reading: base.reading,
  }
}

/** A line that nobody can read and that says an action all the same: a person may know what it means. */
function isOrderlike({ reason_code }: { reason_code: string }, { body }: PayloadInput): boolean {
  if (reason_code !== 'unreadable' || body.length > 400 || /^\s*[{[<]/.test(body) || isDoubted(body))
    return false
  return body.split(/[\s,，;；:：|()（）]+/).some((word) => word !== '' && meaningOf(word) !== null)
}

function deniedIn(parts: Parts | null): boolean {
  if (parts === null || parts.closed !== null) return true
  return parts.kind === 'line'
    ? denies('', parts.text)
    : parts.leaves.some(({ path, value }) => denies(nameOf(path), value))
}

function unasked({ format, outcome, questions }: Proposal): Held['unasked'] {
  if (format === null || outcome?.kind !== 'signal' || questions.length > 0) return null
  const known = ({ role, path, name = nameOf(path), text, code, time, empty }: FormatField) =>
    role !== 'ignored' || text || code || time || empty || isWeightless(name)
  return format.fields.every(known) ? outcome : null
}

function newWord({ part }: Near): string {
  const value = String(part.value ?? '')
    .toWellFormed()
    .slice(0, 40)
  return `這種格式裡第一次出現「${value}」（${part.path.slice(0, 60)}）：請確認它的意思，確認以前不會成為訊號`
}

const addsTo = ({ near, format }: Near, proposal: Proposal): boolean =>
  !near.startsWith('builtin:') && proposal.format !== null && mergeFormats(format, proposal.format) !== null

function unconfirmed(read: ReadOutcome): MessageOutcome {
  return read.kind === 'signal' ? { ...read, format_id: null } : read
}

export type { Held }

/** A confirmed format with what another of the same parts adds to it; null when they are two. */
export function mergeFormats(old: Format, more: Format): Format | null {
  const same =
    old.kind === more.kind &&
    old.wrapper === more.wrapper &&
    old.printed === more.printed &&
    JSON.stringify(old.pattern) === JSON.stringify(more.pattern) &&
    old.fields.length === more.fields.length
  if (!same) return null
  const fields: FormatField[] = []
  for (const field of old.fields) {
    const other = more.fields.find(({ path }) => path === field.path)
    if (!other || other.role !== field.role || other.after !== field.after) return null
    fields.push(joined(field, other))
  }
  return {
    ...old,
    fields,
    meanings: { ...old.meanings, ...more.meanings },
    answers: { ...old.answers, ...more.answers },
  }
}

function joined(a: FormatField, b: FormatField): FormatField {
  const { zero: _, words: __, ...rest } = { ...a, ...b }
  const words = [...new Set([...(a.words ?? []), ...(b.words ?? [])])]
  // Of figures that may be 0 and that may not, both were seen.
  const zero = a.number && b.number ? (a.zero === b.zero ? a.zero : undefined) : (a.zero ?? b.zero)
  return { ...rest, ...(words.length > 0 && { words }), ...(zero !== undefined && { zero }) }
}
