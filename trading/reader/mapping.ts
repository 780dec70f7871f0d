// What a name or a value suggests to somebody who maps a message. Only the proposal may guess by it: a person sees it tried before it counts.

import type { Action, Unit } from '../record.ts'
import { resolveSymbol } from '../symbols.ts'
import { unitOfWord } from './amount.ts'
import { decode } from './generic.ts'
import { cellsOf } from './lines.ts'
import { unheaded } from './propose.ts'
import {
  MAPPING_FIELDS,
  type MappingField,
  type PayloadFormat,
  type ReadAs,
  type Reading,
  type ReadReason,
} from './shape.ts'
import { cut, shownAs } from './uses.ts'
import { numberOf, timeOf } from './values.ts'
import { fieldOfName, keyName, meaningOf, wordOf } from './words.ts'

/** Tokens of names beyond those that are read without a mapping. */
const TOKENS: Readonly<Record<MappingField, string>> = {
  symbol:
    'symbol sym ticker tkr instrument inst pair product prod code contract stock security asset target 標的 商品 代號 代碼 合約 股票',
  action:
    'action act signal sig side order direction dir cmd command operation op type event trade move bs 動作 方向 買賣 訊號 指令 多空',
  quantity:
    'quantity qty size lots lot contracts shares share volume vol units unit count num amount 數量 口數 張數 股數 口 張 股',
  price: 'price px prc rate level close last fill entry 價格 價位 價 成交價 觸發價 訊號價',
  time: 'time timestamp ts date datetime when fired dt 時間 日期 時刻',
  position: 'position pos holding holdings 部位 倉位 持倉',
  id: 'id uuid key ref 編號 單號 序號',
  note: 'note comment msg message text remark reason memo desc description 備註 說明 附註 原因',
}
const HINTS = new Map<string, MappingField[]>()
for (const field of MAPPING_FIELDS)
  for (const token of TOKENS[field].split(' ')) HINTS.set(token, [...(HINTS.get(token) ?? []), field])

/** What is read anyway, as the field a mapping would name. */
function fieldOf(as: ReadAs): MappingField | undefined {
  return ALSO[as] ?? MAPPING_FIELDS.find((field) => field === as)
}
const ALSO: Partial<Record<ReadAs, MappingField>> = {
  ...{ month: 'symbol', side: 'action', open_close: 'action', prev: 'position' },
}

/** How loudly something speaks for a field; `word` is what spoke. */
interface FieldHint {
  weight: number
  word: string | null
}
const NONE: FieldHint = { weight: 0, word: null }
const NEVER: FieldHint = { weight: -100, word: null }

/** What the last part of a path says: a name that is read anyway, or a token of it. */
function nameHint(path: string, field: MappingField): FieldHint {
  const last = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path
  const known = fieldOfName(last)
  if (known !== undefined && fieldOf(shownAs(known)) === field) return { weight: 6, word: last }
  const tokens = last.replace(/([a-z0-9])([A-Z])/g, '$1_$2').split(/[^\p{L}\p{N}]+/u)
  const word = tokens.find((token) => HINTS.get(keyName(token))?.includes(field))
  return word === undefined ? NONE : { weight: 4, word }
}

/** What a value says; `product` is the strategy's own, in whose favour a symbol counts. */
function valueHint(value: string, field: MappingField, at: string, product: string | null): FieldHint {
  const n = numberOf(value)
  switch (field) {
    case 'symbol': {
      const found = resolveSymbol(value, at)
      if (!found || (found.asset === 'stock' && product !== null)) return n === null ? NONE : NEVER
      return { weight: found.symbol === product || found.asset === 'stock' ? 5 : 3, word: value }
    }
    case 'action':
      if (meaningOf(value) !== null) return { weight: 5, word: value }
      return n !== null || value.length > 30 ? { weight: -1, word: null } : NONE
    case 'quantity':
      return sized(value) ? { weight: 1, word: value } : NEVER
    case 'price':
      return n !== null && n > 0 ? { weight: 1, word: null } : NEVER
    case 'time': {
      const at_ms = timeOf(value)
      if (at_ms === null || at_ms === 'bad') return NEVER
      return { weight: /\d[-/:]\d/.test(value) || value.length > 9 ? 5 : 1, word: value }
    }
    case 'position':
      return n === null ? NEVER : NONE
    case 'id':
    case 'note':
      return NONE
  }
}

/** A whole number, with or without the word of its unit. */
export function sized(value: string): { count: string; unit: string } | null {
  const m = /^([\d,]{1,15}(?:\.0{1,9})?)\s{0,3}([\p{L}]{0,12})$/u.exec(value.normalize('NFKC').trim())
  return m ? { count: m[1] as string, unit: m[2] as string } : null
}

// A mapping proposed from one message: which leaf is what, the words that say so, and what only a person can decide (wire §5).
export interface ProposalInput {
  leaves: readonly MappableLeaf[]
  /** The automatic reading of the same message; empty when it never came so far. */
  reading: readonly Reading[]
  refusal: { reason_code: ReadReason | string; field: string | null } | null
  format: PayloadFormat
  /** The strategy's product; null for stocks. */
  product: string | null
  at: string
}

/** A leaf that speaks for a field, and what of it spoke. */
interface FieldProposal {
  field: MappingField
  path: string
  automatic: boolean
  name: string | null
  value: string | null
}

interface ProposedMapping {
  format: PayloadFormat
  /** Paths for the mapping: what is read automatically is not among them. */
  fields: Partial<Record<MappingField, string>>
  proposals: FieldProposal[]
  words: { word: string; action: Action | null }[]
  units: { word: string; unit: Unit | null }[]
  leaves: (MappableLeaf & { as: ReadAs | null; field: MappingField | null; ignorable: boolean })[]
}

/** Less than this is a coincidence, not a hint. */
const ENOUGH = 4
const POWERLANGUAGE = new Set(['sellshort', 'buytocover'])

/** The proposal. What is read without a mapping is named, and left to the automatic reading. */
export function propose(input: ProposalInput): ProposedMapping {
  const { leaves, refusal } = input
  const as_of = new Map(input.reading.map(({ path, as }) => [path, as]))
  const proposals = chosen(input, as_of)
  const field_of = new Map(proposals.map(({ path, field }) => [path, field]))
  const fields: ProposedMapping['fields'] = {}
  for (const { field, path, automatic } of proposals) if (!automatic) fields[field] = path
  const value = (field: MappingField) => {
    const path = proposals.find((one) => one.field === field)?.path
    return leaves.find((leaf) => leaf.path === path)?.value ?? ''
  }
  const action = value('action')
  const words =
    action !== '' && meaningOf(action) === null ? [{ word: action.slice(0, 60), action: null }] : []
  const unit = sized(value('quantity'))?.unit ?? ''
  const asked = refusal?.reason_code === 'bad_unit' || (unit !== '' && unitOfWord(unit) === undefined)
  return {
    format: POWERLANGUAGE.has(wordOf(action)) ? 'multicharts' : input.format,
    fields,
    proposals,
    words,
    units: asked ? [{ word: unit.slice(0, 20), unit: null }] : [],
    leaves: leaves.map((leaf) => {
      const as = as_of.get(leaf.path) ?? null
      const field = field_of.get(leaf.path) ?? null
      return {
        ...leaf,
        as,
        field,
        ignorable: field === null && (as === null || as === 'unknown' || as === 'kept'),
      }
    }),
  }
}

/** The best leaf of each field: the loudest pair first, every leaf and every field once. */
function chosen(input: ProposalInput, as_of: ReadonlyMap<string, ReadAs>): FieldProposal[] {
  const { leaves, product, at } = input
  const pairs = leaves.flatMap((leaf, order) =>
    MAPPING_FIELDS.map((field) => {
      const name = nameHint(leaf.path, field)
      const value =
        leaf.value === '' ? { weight: -100, word: null } : valueHint(leaf.value, field, at, product)
      const read = fieldOf(as_of.get(leaf.path) ?? 'kept') === field
      const cell = leaf.path.startsWith('#') ? cellWeight(leaf, field, leaves) : 0
      return {
        order,
        weight: (read ? 20 : 0) + name.weight + value.weight + cell,
        proposal: { field, path: leaf.path, automatic: read, name: name.word, value: value.word },
      }
    }),
  )
  const used = new Set<string>()
  const found: FieldProposal[] = []
  for (const { weight, proposal } of pairs.sort((a, b) => b.weight - a.weight || a.order - b.order)) {
    if (weight < ENOUGH || used.has(proposal.path) || found.some(({ field }) => field === proposal.field))
      continue
    used.add(proposal.path)
    found.push(proposal)
  }
  return found.sort((a, b) => MAPPING_FIELDS.indexOf(a.field) - MAPPING_FIELDS.indexOf(b.field))
}

/** Cells have no names: a short text is the action, the greatest number the price, a small whole one beside it the size. */
function cellWeight(leaf: MappableLeaf, field: MappingField, leaves: readonly MappableLeaf[]): number {
  const own = sized(leaf.value)
  if (field === 'action') return own || leaf.value.length > 12 || /\d/.test(leaf.value) ? 0 : 4
  if (field !== 'price' && field !== 'quantity') return 0
  const greatest = Math.max(...leaves.map(({ value }) => figure(value) ?? 0))
  const n = figure(leaf.value)
  if (field === 'price') return n === greatest && greatest > 0 ? 4 : 0
  if (own && own.unit !== '') return 4
  return own && n !== null && n < greatest ? 3 : 0
}

function figure(text: string): number | null {
  return /^[\d,.]{1,12}$/.test(text) ? Number(text.replaceAll(',', '')) : null
}

// The leaves of a message, each at the path a mapping names it by: keys of JSON and pairs, cells of a line as #1, #2 … (wire §5).
interface MappableLeaf {
  path: string
  value: string
}

/** More of them is no message that anybody would map by hand. */
const MOST = 200

/** The leaves of a body in its own order, private ones left out; none when nothing can be told apart in it. */
export function mappableLeaves(body: string): MappableLeaf[] {
  // A heading stands above the line whose cells are meant.
  const text = unheaded(body.replace(/^\uFEFF/, '')).trim()
  if (text === '') return []
  const decoded = decode(text, text)
  if (decoded.kind === 'message')
    return decoded.leaves
      .filter(({ path }) => path !== '#outside')
      .slice(0, MOST)
      .map(({ path, value }) => leaf(path, value))
  if (decoded.kind === 'unread') return []
  const [line = ''] = decoded.clean.trim().split(/\r?\n/, 1)
  return cellsOf(line)
    .slice(0, MOST)
    .map((value, i) => leaf(`#${i + 1}`, value))
}

function leaf(path: string, value: unknown): MappableLeaf {
  return { path, value: cut(value === null || value === undefined ? '' : String(value), 200) }
}
