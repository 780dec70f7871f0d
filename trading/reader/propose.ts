// A format proposed from one message: what the reader makes of it, turned into parts that a person looks at. An error here is seen
// before it counts. What one message cannot say is asked.
import { assetOf, KINDS } from '../kinds.ts'
import { isSize, tooMuch } from './amount.ts'
import { ASKS, fieldFor, lineFormat, NO_MAPPING, objectFormat, turns } from './draft.ts'
import {
  ANSWERS,
  type Answers,
  type Format,
  type FormatField,
  type Proposal,
  type ProposalInput,
  type QuestionId,
  type Role,
} from './format.ts'
import { decode, type Inside, readInside } from './generic.ts'
import { compile, match, type Part, type Parts, partsOf, shapeOf, spaced } from './match.ts'
import type { Mapping, ReadOutcome, Scalar } from './shape.ts'
import { interpret, nameOf } from './signal.ts'
import { numberOf, sizeOf } from './values.ts'
import { compact, fieldOfName, keyName, meaningOf } from './words.ts'

/** What a message could mean, for a person to confirm. Never throws. */
export function proposeFormat(input: ProposalInput): Proposal {
  const parts = partsOf(input.body)
  if (parts === null) return nothing(input.body.slice(0, 200), readInside(input).outcome)
  if (parts.closed !== null)
    return {
      ...nothing(shapeIn(parts, null), null),
      reason: `欄位 ${parts.closed} 不會保存，所以無法確認它裡面的內容：請在訊息裡拿掉它`,
      field: parts.closed,
    }
  const first = attempt(parts, input, input.answers)
  if (first.format === null) {
    const none = nothing(shapeIn(parts, null), first.outcome)
    return { ...none, ...(first.turned && doubtAbout(first.turned)), fields: fieldsOf(parts, null) }
  }
  const open = first.open.filter((id) => input.answers[id] === undefined)
  return {
    shape: shapeIn(parts, first.format),
    format: first.format,
    outcome: first.outcome,
    reason: null,
    field: null,
    fields: fieldsOf(parts, first.format),
    questions: open.map((id) => ({
      id,
      options: ANSWERS[id].map((value) => ({
        value,
        outcome: attempt(parts, input, { ...input.answers, [id]: value }).outcome,
      })),
    })),
  }
}

const TURNS = '有一個欄位可能會讓意思相反：請說明每個欄位是什麼，不影響的選「不看」'

/** Which of them it is. */
const doubtAbout = ({ path, value }: Part) => ({
  reason: `欄位 ${path} 寫著「${String(value).toWellFormed().slice(0, 40)}」，可能會讓意思相反：請選它是什麼，不影響就選「不看」`,
  field: path,
})

function nothing(shape: string, outcome: ReadOutcome | null): Proposal {
  const said = outcome?.kind === 'rejected' || outcome?.kind === 'ignored' ? outcome : null
  return {
    shape: hash(shape),
    format: null,
    // A signal that no format can stand for is none that a person could confirm.
    outcome: outcome?.kind === 'signal' ? null : outcome,
    reason: said?.reason ?? (outcome?.kind === 'signal' ? TURNS : null),
    field: said?.field ?? null,
    fields: [],
    questions: [],
  }
}

interface Attempt {
  format: Format | null
  outcome: ReadOutcome | null
  /** What would have to be asked. */
  open: QuestionId[]
  /** The part that nobody looks at and that turns the order round, where that is why there is no format. */
  turned?: Part | undefined
}

/** One reading of the message under some answers. */
function attempt(parts: Parts, input: ProposalInput, answers: Answers): Attempt {
  const asked: QuestionId[] = []
  const inside = readAround(parts, input, answers, asked)
  const { outcome } = inside
  if (outcome.kind !== 'signal' || inside.message === null || inside.uses === null) {
    const wrapped =
      parts.kind === 'json' && outcome.kind === 'rejected' ? wrappedIn(parts, input, answers) : null
    return wrapped ?? { format: null, outcome, open: asked }
  }
  const mapping = mappingUnder(input, answers)
  const made =
    parts.kind === 'json' ? objectFormat(parts, inside, mapping) : lineFormat(parts.text, inside, mapping)
  if (made === null) return { format: null, outcome, open: asked, turned: turnedIn(parts, inside, mapping) }
  return settled(made, parts, input, answers, asked, inside)
}

function turnedIn(parts: Parts, { uses, ask }: Inside, mapping: Mapping | null): Part | undefined {
  const out = ask?.verb === 'exit' || ask?.verb === 'close_all' || ask?.verb === 'reduce'
  const seen = new Set([...(uses?.said ?? []).map(({ path }) => path), ...(mapping?.ignore ?? [])])
  return parts.leaves.find(
    ({ path, value }) => !seen.has(path) && turns({ path, role: 'ignored' }, value, out),
  )
}

/** The format with its questions answered, if it reads its own message as it was proposed. */
function settled(
  made: Format,
  parts: Parts,
  input: ProposalInput,
  answers: Answers,
  asked: QuestionId[],
  inside: Inside,
): Attempt {
  const open = [...asked, ...questionsOf(made, inside, input)]
  const under = (given: Answers) => {
    const format: Format = {
      ...made,
      answers: Object.fromEntries(open.map((id) => [id, given[id] ?? ANSWERS[id][0]])),
    }
    const found = match(parts, compile([{ id: '', format }], []))
    return { format, outcome: found === null || 'near' in found ? null : interpret(found, input, parts) }
  }
  const one = under(answers)
  if (open.length === 0)
    return one.outcome && samePosition(one.outcome, inside.outcome)
      ? { ...one, open }
      : { format: null, outcome: one.outcome?.kind === 'rejected' ? one.outcome : inside.outcome, open }
  if (one.outcome?.kind === 'signal' && open.some((id) => answers[id] !== undefined)) return { ...one, open }
  // An answer under which there is no order is none: then there is nothing to ask.
  const possible = open.flatMap((id) =>
    ANSWERS[id].map((value) => ({ id, value, ...under({ ...answers, [id]: value }) })),
  )
  const signals = possible.filter(({ outcome }) => outcome?.kind === 'signal')
  const [only] = signals
  if (only === undefined) return { format: null, outcome: one.outcome ?? inside.outcome, open }
  const left = open.filter((id) => signals.filter((of) => of.id === id).length > 1)
  return { format: only.format, outcome: only.outcome, open: [...new Set([...left, ...asked])] }
}

function samePosition(a: ReadOutcome, b: ReadOutcome): boolean {
  if (a.kind !== 'signal' || b.kind !== 'signal') return false
  const keys = [
    'symbol',
    'contract',
    'action',
    'quantity',
    'target_position',
    'price',
    'occurred_at',
  ] as const
  return keys.every((key) => a.signal[key] === b.signal[key])
}

/** Most parts that are put aside, one after another, until the rest reads. */
const ASIDE_MOST = 30

/** What the reader makes of a message when parts that it does not know are not looked at: a person sees that they are not. */
function readAround(parts: Parts, input: ProposalInput, answers: Answers, asked: QuestionId[]): Inside {
  const body = parts.kind === 'line' ? unheaded(parts.clean) : input.body
  const base = mappingUnder(input, answers)
  const ignore: string[] = [...(base?.ignore ?? [])]
  const answer = (id: QuestionId) => {
    if (!asked.includes(id)) asked.push(id)
    return answers[id] ?? ANSWERS[id][0]
  }
  const read = (more: Mapping['fields'] | null) => {
    const mapping = { ...NO_MAPPING, ...base, ignore, fields: { ...base?.fields, ...more } }
    return readInside({
      ...input,
      loose: true,
      body,
      mapping: ignore.length > 0 || base || more ? mapping : null,
    })
  }
  for (let tries = 0; ; tries++) {
    const inside = read(null)
    const { outcome } = inside
    if (outcome.kind === 'signal') {
      const quantity = volumeIn(parts, inside, input)
      return quantity !== null && answer('volume_means') === 'size' ? read({ quantity }) : inside
    }
    const part = outcome.kind === 'heartbeat' || tries > ASIDE_MOST ? null : partNamed(parts, outcome.field)
    if (outcome.kind === 'heartbeat' || part === null || ignore.includes(part.path)) return inside
    const question = questionFor(outcome.reason_code, part)
    if (question === null && outcome.reason_code !== 'unknown_field') return inside
    const said = question && answer(question)
    if (said === 'waits') return inside
    if (said === 'size') return read({ quantity: part.path })
    ignore.push(part.path)
  }
}

/** A heading above a line says nothing of its order: 【訊號通知】. */
export function unheaded(text: string): string {
  return text.replace(/^\s*【[^】\n]{1,30}】\s*\n/, '')
}

function partNamed(parts: Parts, field: string | null): Part | null {
  if (field === null) return null
  return (
    parts.leaves.find(({ path }) => path === field || path.slice(0, 100) === field) ??
    parts.leaves.find(({ path }) => nameOf(path) === field) ??
    null
  )
}

/** Bots of other markets call the size of an order its volume; beside a bar's prices it is the bar's. */
function volumeIn(parts: Parts, { uses, outcome }: Inside, { strategy }: ProposalInput): string | null {
  if (KINDS[strategy.kind].triggers || strategy.quantity_mode === 'fixed') return null
  if (uses === null || outcome.kind !== 'signal' || outcome.signal.action === 'target') return null
  const names = parts.leaves.map(({ path }) => compact(keyName(nameOf(path))))
  if (uses.said.some(({ field }) => isSize(field)) || names.some((name) => BARS.has(name))) return null
  const at = names.findIndex((name) => /^(?:volume|vol|量)$/.test(name))
  const n = at < 0 ? null : numberOf(parts.leaves[at]?.value ?? null)
  return n !== null && n > 0 && !tooMuch(n * sizeOf(strategy), strategy)
    ? (parts.leaves[at]?.path ?? null)
    : null
}

const BARS = new Set('open high low 開盤 最高 最低 開盤價 最高價 最低價'.split(' '))

function questionFor(code: string, { path, value }: Part): QuestionId | null {
  const name = compact(keyName(nameOf(path)))
  const field = fieldOfName(nameOf(path))
  if (code === 'not_a_trade' && field === 'stop_price') return 'stop_means'
  const figure = typeof value === 'boolean' ? null : numberOf(value)
  return code === 'bad_unit' && /^(?:order|trade)?amount$/.test(name) && figure !== null
    ? 'volume_means'
    : null
}

function mappingUnder(input: ProposalInput, answers: Answers): Mapping | null {
  const unit = answers.stock_unit
  if (unit === undefined || assetOf(input.strategy) !== 'stock') return input.mapping
  const base = input.mapping ?? NO_MAPPING
  if (base.units[''] !== undefined) return base
  return { ...base, units: { ...base.units, '': unit === 'share' ? 'share' : 'board_lot' } }
}

function questionsOf({ fields }: Format, { ask, uses, outcome }: Inside, input: ProposalInput): QuestionId[] {
  if (uses === null || outcome.kind !== 'signal') return []
  const found: QuestionId[] = []
  const has = (role: Role) => fields.find((one) => one.role === role && !one.mapped)
  const target = outcome.signal.target_position !== null
  const multicharts = input.format === 'multicharts'
  const meanings = uses.said.flatMap(({ field, value }) =>
    ASKS.has(field) ? [meaningOf(String(value), multicharts) ?? {}] : [],
  )
  const bare = meanings.some(({ side, verb }) => side !== undefined && verb === undefined)
  const position = has('position')
  const alone = !fields.some(({ role }) => isSize(role)) && !has('prev') && !has('market_position')
  const named = position && /position_?size$/i.test(position.name ?? nameOf(position.path))
  if (target ? named && alone && ask?.neutral != null : has('contracts') && ask?.verb === 'entry' && bare)
    found.push('contracts_mean')
  const quantity = has('quantity')
  const { strategy, mapping } = input
  const counted = strategy.quantity_mode === 'signal' && !has('unit') && mapping?.units[''] === undefined
  if (quantity?.number && quantity.after === undefined && assetOf(strategy) === 'stock' && counted)
    found.push('stock_unit')
  const leaves = ask?.verb === 'exit' || ask?.verb === 'close_all'
  if (leaves && meanings.some(({ neutral }) => neutral !== undefined)) found.push('close_leaves')
  return found
}

/** A line inside an object: `{"text": "訂單buy @ 1已成交MXF1!。…"}`. */
function wrappedIn(parts: Parts, input: ProposalInput, answers: Answers): Attempt | null {
  for (const { path, value } of parts.leaves) {
    if (typeof value !== 'string' || value.length < 8 || !/\s|[,;=]|已成交/.test(value)) continue
    const text = spaced(value)
    if (decode(text, text, null, true).kind !== 'message') continue
    const asked: QuestionId[] = []
    const line: Parts = { ...parts, leaves: [], text, kind: 'line', clean: text }
    const inside = readAround(line, { ...input, body: text }, answers, asked)
    if (inside.outcome.kind !== 'signal') continue
    const mapping = mappingUnder(input, answers)
    const made = lineFormat(text, inside, mapping)
    if (made === null) continue
    const others = parts.leaves.filter((one) => one.path !== path)
    const outer = others.map((one) => ({
      ...fieldFor(one.path, nameOf(one.path), 'ignored', one.value, inside),
      ...(mapping?.ignore.includes(one.path) && { mapped: true as const }),
    }))
    const turned = others.find((one, i) => turns(outer[i] as FormatField, one.value, false))
    if (turned !== undefined) return { format: null, outcome: inside.outcome, open: asked, turned }
    const format: Format = { ...made, wrapper: path, fields: [...made.fields, ...outer] }
    return settled(format, parts, input, answers, asked, inside)
  }
  return null
}

/** The parts as a person sees them, with their values. */
function fieldsOf(parts: Parts, format: Format | null): Proposal['fields'] {
  const shown = (value: Scalar) =>
    String(value ?? '')
      .toWellFormed()
      .slice(0, 200)
  if (format === null)
    return parts.leaves.map(({ path, value }) => ({ path, role: 'ignored', value: shown(value) }))
  const found = match(parts, compile([{ id: '', format }], []))
  if (found === null || 'near' in found) return []
  return format.fields.map(({ path, role }, i) => ({ path, role, value: shown(found.values[i] ?? '') }))
}

/** The same for all messages that one confirmation would take: parts, the words that stay, what stands between places. */
function shapeIn(parts: Parts, format: Format | null): string {
  const own =
    parts.kind === 'line' ? parts.text.replace(/\d+/g, '0') : shapeOf(parts.leaves.map(({ path }) => path))
  if (format === null) return hash(own)
  const words = format.fields.map(
    ({ path, role, words: some, zero }) => `${path} ${role} ${some?.join() ?? ''} ${zero ?? ''}`,
  )
  const between = format.pattern?.join('\u0001') ?? own
  return hash(`${between}\n${words.join('\n')}\n${Object.keys(format.meanings).join()}`)
}

/** Sixteen signs for a text, to group by; no proof of anything. */
function hash(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
