// A mapping proposed from one message: which leaf is what, the words that say so, and what only a person can decide (wire §5).
import type { Action, Unit } from '../record.ts'
import { nameHint, sized, valueHint } from './hints.ts'
import type { MappableLeaf } from './mappable-leaves.ts'
import {
  MAPPING_FIELDS,
  type MappingField,
  type PayloadFormat,
  type ReadAs,
  type Reading,
  type ReadReason,
} from './shape.ts'
import { meaningOf, unitOfWord, wordOf } from './vocabulary.ts'

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
export interface FieldProposal {
  field: MappingField
  path: string
  automatic: boolean
  name: string | null
  value: string | null
}

export interface ProposedMapping {
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
/** What the automatic reading makes of a leaf, as the field a mapping would name. */
const FIELD_OF: Partial<Record<ReadAs, MappingField>> = {
  symbol: 'symbol',
  month: 'symbol',
  action: 'action',
  side: 'action',
  open_close: 'action',
  quantity: 'quantity',
  price: 'price',
  time: 'time',
  position: 'position',
  prev: 'position',
  id: 'id',
  note: 'note',
}
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
      const read = FIELD_OF[as_of.get(leaf.path) ?? 'kept'] === field
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
