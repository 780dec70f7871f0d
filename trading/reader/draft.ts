// A reading of one message turned into a closed format: each part with the values that it may have from now on, and what the words mean.

import { isSize, POSITION_WORDS } from './amount.ts'
import { type Format, type FormatField, type Meaning, type Role, roles } from './format.ts'
import type { Inside } from './generic.ts'
import type { Message } from './json.ts'
import { askedWords, figureOf, fits, isPositionWord, type Parts, spelling } from './match.ts'
import type { Mapping, Scalar } from './shape.ts'
import { nameOf } from './signal.ts'
import { isGrouped, numberOf, timeOf } from './values.ts'
import {
  fieldOfName,
  inWords,
  isDoubted,
  isState,
  isTakenBack,
  isTrial,
  isWeightless,
  keyName,
  meaningOf,
  otherWord,
  wordOf,
} from './words.ts'

export const NO_MAPPING: Mapping = {
  fields: {},
  words: {},
  units: {},
  ignore: [],
  id_is_unique: false,
  strict: false,
}

export const ASKS = roles('action weak_action side position_side')

export function objectFormat(parts: Parts, inside: Inside, mapping: Mapping | null): Format | null {
  const fields = parts.leaves.map(({ path, value }) => {
    const field = fieldFor(path, nameOf(path), roleIn(inside, path, mapping), value, inside)
    // A person has said that it is not looked at.
    return field.role === 'ignored' && mapping?.ignore.includes(path)
      ? { ...field, mapped: true as const }
      : field
  })
  return withMeaning(
    {
      kind: 'json',
      fields: [...fields, ...constants(inside)],
      meanings: {},
      mapping: keptOf(mapping),
      answers: {},
    },
    parts.leaves.map(({ value }) => value),
    inside,
  )
}

function constants({ uses }: Inside): FormatField[] {
  return (uses?.said ?? [])
    .filter(({ path }) => path === '')
    .map(({ field, value }) => ({ path: '', role: field, mapped: true, constant: value as string | number }))
}

/** Of a mapping what a format still needs: the sender's own units, whether ids are unique. */
function keptOf(mapping: Mapping | null): Mapping | null {
  if (mapping === null) return null
  const { units, id_is_unique, sequence } = mapping
  if (Object.keys(units).length === 0 && !id_is_unique && sequence === undefined) return null
  return { ...NO_MAPPING, units, id_is_unique, ...(sequence !== undefined && { sequence }) }
}

function roleIn({ uses }: Inside, path: string, mapping: Mapping | null): Role {
  if (mapping?.sequence === path) return 'sequence'
  return uses?.said.find((one) => one.path === path)?.field ?? 'ignored'
}

function withMeaning(format: Format, values: readonly Scalar[], { ask }: Inside): Format | null {
  const { verb = null, neutral = null, side = null, forced = false } = ask ?? {}
  const out = verb === 'exit' || verb === 'close_all' || verb === 'reduce'
  if (format.fields.some((field, i) => turns(field, values[i] ?? '', out))) return null
  if (format.pattern?.some((piece) => typeof piece === 'string' && (CANCELS.test(piece) || isDoubted(piece))))
    return null
  const meaning: Meaning = { verb, neutral, side, forced }
  const words = askedWords(format.fields, values)
  if (words === '' && verb === null && neutral === null && side === null) return format
  return { ...format, meanings: { ...siblings(format, words, meaning), [words]: meaning } }
}

/** Words that are said in one breath: who confirms one of them at a place has seen what the others stand for. */
const FAMILIES = [
  'buy sell',
  'b s',
  '買進 賣出',
  '買 賣',
  'long_entry long_exit short_entry short_exit',
  'enter_long exit_long enter_short exit_short',
  'long_open long_close short_open short_close',
  'buy_to_open sell_to_close sell_to_open buy_to_close',
  'le lx se sx',
  '新買 平賣 新賣 平買',
  '多單進場 多單出場 空單進場 空單出場',
  '做多 平多 做空 平空',
].map((words) => words.split(' ').map(spelling))

function siblings(format: Format, words: string, meaning: Meaning): Record<string, Meaning> {
  const asking = format.fields.filter(({ role, words: own }) => ASKS.has(role) && own !== undefined)
  const [only] = asking
  if (asking.length !== 1 || only === undefined || only.role === 'position_side' || words !== only.words?.[0])
    return {}
  const family = FAMILIES.find((one) => one.includes(words))
  // A word that means something else here than it says: its brothers may, too.
  if (!family || !sameMeaning(meaningOf(words), meaning)) return {}
  only.words = [...family]
  return Object.fromEntries(
    family.map((word) => [
      word,
      { verb: null, neutral: null, side: null, forced: false, ...meaningOf(word) },
    ]),
  )
}

function sameMeaning(a: ReturnType<typeof meaningOf>, b: Meaning): boolean {
  return (
    a !== null &&
    (a.verb ?? null) === b.verb &&
    (a.neutral ?? null) === b.neutral &&
    (a.side ?? null) === b.side
  )
}

const TEXTS = roles('symbol symbol_name month exchange currency id note timeframe sequence')
const TIMES = roles('now stamp time date')
const FIGURES = roles(
  'quantity contracts lots futures_lots board_lots shares price entry_price exit_price close position market_size prev prev_market_size stop_price money',
)
const PLACES = roles('market_position prev_market_position position prev')

/** One part with the values that it may have from now on. */
export function fieldFor(path: string, name: string, role: Role, value: Scalar, inside: Inside): FormatField {
  const mapped = inside.uses?.said.find((one) => one.path === path)?.mapped
  const own = path.startsWith('#') ? { name } : {}
  const field: FormatField = { path, role, ...own, ...(mapped && { mapped: true }) }
  if (value === null || value === '') return { ...field, empty: true, ...(TEXTS.has(role) && { text: true }) }
  if (TEXTS.has(role)) return { ...field, text: true, empty: true }
  if (TIMES.has(role))
    return {
      ...field,
      time: true,
      ...(fits({ ...field, time: true }, value) ? {} : { words: [spelling(value)] }),
    }
  if (PLACES.has(role) && isPositionWord(value)) return { ...field, words: POSITION_WORDS.map(spelling) }
  const figure = figureOf(value)
  if (FIGURES.has(role) && figure !== null)
    return {
      ...field,
      number: true,
      ...(figure.after !== '' && { after: figure.after }),
      // No stop was set: one that is may be an order that waits for it.
      ...(role === 'stop_price' && figure.n === 0 && { zero: true }),
      ...(PRICES.has(role) && { words: NO_PRICE }),
    }
  if (role === 'ignored') return ignored(field, name, value, figure)
  return { ...field, words: [spelling(value)] }
}

const PRICES = roles('price entry_price exit_price close')
/** A price that a platform has not filled. */
const NO_PRICE = ['nan', 'null', 'na']

/** What nobody looks at: names, notes and times are free, bars' figures too; words and switches stay what was seen. */
function ignored(
  field: FormatField,
  name: string,
  value: Scalar,
  figure: { n: number; after: string } | null,
): FormatField {
  const text = String(value)
  if (typeof value === 'boolean' || CODED.has(fieldOfName(name) ?? ''))
    return { ...field, words: [spelling(value)] }
  if (figure !== null && figure.after === '') {
    if (isWeightless(name) && !/^[01]$/.test(text)) return { ...field, number: true }
    if (isWeightless(name) && OF_BAR.test(keyName(name))) return { ...field, number: true }
    if (/^[01]$/.test(text)) return { ...field, words: [spelling(value)] }
    const ms = /^\d{10}$|^\d{13}$/.test(text) ? timeOf(value) : null
    return typeof ms === 'number'
      ? { ...field, number: true }
      : { ...field, number: true, zero: figure.n === 0 }
  }
  if (typeof timeOf(value) === 'number' && fits({ ...field, time: true }, value))
    return { ...field, time: true }
  if (FREE.test(name) || /^https?:/i.test(text)) return { ...field, text: true, empty: true }
  if (isIdentifier(text)) return { ...field, code: true, empty: true }
  return { ...field, words: [spelling(value)] }
}

/** Names of an order's words: a figure under them is somebody's code for one. */
const CODED: ReadonlySet<string> = new Set(
  'action weak_action side position_side open_close credit order_kind state mode test reverse option unit'.split(
    ' ',
  ),
)
const OF_BAR = /^(?:open|high|low|close|volume|vol|plot_?\d*|開盤價?|最高價?|最低價?|成交量|總量|單量)$/
const FREE =
  /(?:^|[._ ])(?:name|title|id|uuid|guid|url|image|link|comment|note|description|author|user|username|bot|script|tag|tags|label|key|nonce|cid|策略|策略名稱|名稱|備註|說明)$|_(?:id|name|uuid|url)$|(?:Id|Name|Url|UUID)$/i

/** A sender's own number of something: letters and figures that are no word. */
function isIdentifier(text: string): boolean {
  return /^[\w-]{8,80}$/.test(text) && /\d/.test(text) && /[a-f\d]{8}|\d{6}/i.test(text)
}

/** A line whose places are where the reader found its values; what stands between stays as it is. */
export function lineFormat(text: string, inside: Inside, mapping: Mapping | null): Format | null {
  const { message, uses } = inside
  if (message === null || uses === null) return null
  const spans = message.shape === 'line' ? cellSpans(text, message) : valueSpans(text, message)
  if (spans === null) return null
  const fields: FormatField[] = []
  const pattern: (string | number)[] = []
  const values: Scalar[] = []
  const literal = (from: number, to: number) => {
    let at = from
    for (const found of text.slice(from, to).matchAll(CLOCKS)) {
      pattern.push(text.slice(at, from + found.index), fields.length)
      fields.push({
        path: `#${fields.length + 1}`,
        role: 'ignored',
        time: true,
        pieces: found[0].split(' ').length,
      })
      values.push(found[0])
      at = from + found.index + found[0].length
    }
    pattern.push(text.slice(at, to))
  }
  let at = 0
  for (const { from, to, path, name } of spans) {
    literal(at, from)
    const value = text.slice(from, to)
    const said = uses.said.find((one) => one.path === path)
    const role = mapping?.sequence === path ? 'sequence' : (said?.field ?? 'ignored')
    const path_here = `#${fields.length + 1}`
    const pieces = value.split(' ').length
    // The figure has a place, what stands behind it stays: 2口.
    const figure = FIGURES.has(role) ? /^([+-]?[\d.,]*\d)(\s?\p{L}{1,12})$/u.exec(value) : null
    const shown =
      figure && numberOf(figure[1] as string) !== null && !isGrouped(figure[1] as string)
        ? (figure[1] as string)
        : value
    const field = fieldFor(path_here, name, role, shown, inside)
    fields.push({
      ...field,
      name,
      ...(said?.mapped && { mapped: true as const }),
      ...(pieces > 1 && shown === value && { pieces }),
    })
    values.push(shown)
    pattern.push(fields.length - 1)
    if (shown !== value) pattern.push(value.slice(shown.length))
    at = to
  }
  literal(at, text.length)
  const joined = pattern.filter((piece) => piece !== '')
  nameUnits(fields, joined)
  const printed = message.shape === 'line' ? { printed: true as const } : {}
  return withMeaning(
    {
      kind: 'line',
      pattern: joined,
      ...printed,
      fields: [...fields, ...constants(inside)],
      meanings: {},
      mapping: keptOf(mapping),
      answers: {},
    },
    values,
    inside,
  )
}

/** A unit behind a figure says what the figure counts. */
function nameUnits(fields: FormatField[], pattern: (string | number)[]): void {
  for (const [i, piece] of pattern.entries()) {
    const behind = pattern[i + 1]
    if (typeof piece !== 'number' || typeof behind !== 'string') continue
    const field = fields[piece] as FormatField
    const word = /^\s?(\p{L}{1,12})/u.exec(behind)?.[1] ?? ''
    if (isSize(field.role)) field.role = UNIT_ROLES[wordOf(word)] ?? field.role
  }
}

/** What a figure is called by the unit behind it. */
const UNIT_ROLES: Readonly<Record<string, Role>> = {
  口: 'futures_lots',
  張: 'board_lots',
  股: 'shares',
  lot: 'lots',
  lots: 'lots',
  contract: 'contracts',
  contracts: 'contracts',
  share: 'shares',
  shares: 'shares',
}

const CLOCKS = /\d{4}[-/]\d{1,2}[-/]\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?/g

interface Span {
  from: number
  to: number
  path: string
  name: string
}

/** Printed lines: their places are cells between blanks, the clock has one or two of them; words behind stay as they are. */
function cellSpans(text: string, message: Message): Span[] | null {
  const cells: { from: number; to: number }[] = []
  for (const found of text.matchAll(/[^ \n]+/g))
    cells.push({ from: found.index, to: found.index + found[0].length })
  const placed = message.leaves
    .filter(({ name, path }) => name !== 'note' && /^#\d+$/.test(path))
    .map((leaf) => ({ leaf, at: Number(leaf.path.slice(1)) - 1 }))
    .sort((a, b) => a.at - b.at)
  const spans: Span[] = []
  for (const [i, { leaf, at }] of placed.entries()) {
    const last = i === 0 && leaf.name === 'timenow' ? (placed[1]?.at ?? 1) - 1 : at
    const [from, to] = [cells[at]?.from, cells[last]?.to]
    if (from === undefined || to === undefined) return null
    spans.push({ from, to, path: leaf.path, name: leaf.name })
  }
  return spans
}

/** Where the values of a text stand, in the reader's order; null where one cannot be found. */
function valueSpans(text: string, message: Message): Span[] | null {
  const spans: Span[] = []
  let cursor = 0
  const free = (from: number, to: number) => spans.every((one) => to <= one.from || from >= one.to)
  for (const leaf of [...message.leaves].sort(
    (a, b) => Number(b.name === 'note') - Number(a.name === 'note'),
  )) {
    const value = String(leaf.value ?? '')
    if (leaf.path === '#outside') return null
    if (value === '') continue
    const keyed = message.shape === 'pairs' && !leaf.path.startsWith('#')
    const front = keyed ? `(?:^|[\\s;&|,{]|@)["'“]?${escaped(leaf.path)}["'”]?\\s?[=:：]\\s?["'“]?` : ''
    // A reader may have closed or opened a blank inside a value.
    const pieces =
      value
        .match(/\d[\d.,]*|[^\s\d]+|\d/g)
        ?.map(pieceOf)
        .join('\\s?') ?? escaped(value)
    const search = new RegExp(`(${front})(${pieces})`, 'gu')
    search.lastIndex = keyed || leaf.name === 'note' ? 0 : cursor
    let found = search.exec(text)
    while (found && !free(found.index + (found[1] ?? '').length, found.index + found[0].length))
      found = search.exec(text)
    if (!found) {
      if (leaf.name === 'note') continue
      return null
    }
    const from = found.index + (found[1] ?? '').length
    const to = found.index + found[0].length
    spans.push({ from, to, path: leaf.path, name: leaf.name })
    if (leaf.name !== 'note') cursor = to
  }
  return spans.sort((a, b) => a.from - b.from)
}

/** A figure may have lost the commas between its thousands. */
function pieceOf(piece: string): string {
  if (!/^\d{4,12}$/.test(piece)) return escaped(piece)
  const first = piece.length % 3 || 3
  return [piece.slice(0, first), ...(piece.slice(first).match(/\d{3}/g) ?? [])].join(',?')
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** A part that nobody looks at and that turns an order round all the same: then nobody can say what the message asks for. */
export function turns(
  { path, role, mapped, name = nameOf(path) }: FormatField,
  value: Scalar,
  out: boolean,
): boolean {
  if (role !== 'ignored' || path === '' || mapped) return false
  const spelled = keyName(name)
  const text = String(value ?? '')
  if (text === '') return fieldOfName(name) === 'action'
  const off = /^(?:0+(?:\.0+)?|false|no|n|off|none|null|否)$/i.test(text)
  if (POSITIONS.test(spelled) || /(?:reduce|close)[-_ ]?only/i.test(off ? '' : `${spelled} ${text}`))
    return true
  if (!off && fieldOfName(name) === 'test') return true
  if (!out && !off && LEAVES.test(spelled) && figureOf(value) === null) return true
  if (!off && figureOf(value) === null && (isState(text) || isTakenBack(text))) return true
  if (/零股|整股/.test(text)) return true
  if (isWeightless(name)) return false
  if (off) return GOES.test(spelled)
  if (CANCELS.test(spelled) || CANCELS.test(text) || isDoubted(text) || path === '#outside') return true
  const other = otherWord(text)
  if (other === 'test' || other === 'not_a_trade' || other === 'placed_stop' || inWords(text) === 'state')
    return true
  if (meaningOf(text) !== null) return true
  // One sign and a one: nobody can say what it turns on.
  return spelled.length <= 2 && /^(?:1|true|y)$/i.test(text)
}

/** Whether a part says that nothing is to be done: taken back, denied, or only a trial. */
export function denies(name: string, value: Scalar): boolean {
  const text = String(value ?? '').trim()
  if (text === '' || typeof value === 'boolean' || figureOf(value) !== null)
    return value === true && CANCELS.test(keyName(name))
  if (isState(text) || isTakenBack(text) || isTrial(text)) return true
  if (fieldOfName(name) === 'note') return otherWord(text) === 'test'
  if (isWeightless(name) || FREE.test(name)) return false
  const words = text.split(/[\s,，;；|:：()（）[\]【】]+/).map(otherWord)
  return isDoubted(text) || words.includes('test') || words.includes('not_a_trade')
}

/** Why a position was left. */
const LEAVES = /(?:^|_)(?:exit|close)(?:_(?:reason|type|signal|kind|tag))?$/
/** Switches that say, when they are off, that nothing is to be done. */
const GOES =
  /(?:^|_)(?:enabled?|active|valid|live|real|confirm(?:ed)?|approv(?:al|ed)|place|send|execute|trad(?:e|able)|allowed)(?:_|$)|執行|啟用|有效|下單/
const POSITIONS = /^(?:net_?pos(?:ition)?|holding|held|inventory|部位|庫存)/
const CANCELS = /cancel|reject|expire|void|disabled?|dry_?run|paper|simulat|backtest|取消|作廢|停用|測試/i
