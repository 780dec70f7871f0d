// The door to a strategy's stored settings: past it they are typed by their kind.
import { type KindSettings, STARTS } from '#contract/strategy.ts'
import type { StrategyRow } from './schema.ts'

type Kind = StrategyRow['kind']
type Of<K extends Kind> = Extract<KindSettings, { kind: K }>
/** By their text: a strategy's settings are looked at with every message and change once in a while. */
const read: Record<Kind, Map<string, object>> = {
  futures: new Map(),
  stock: new Map(),
  'xq-stock': new Map(),
}
const READ_MOST = 2_000

/**
 * Kind and settings of a row, not to be changed in place: others look at the same object. A setting that did not exist when the
 * row was written is what it starts with.
 */
export function settingsOf(row: Pick<StrategyRow, 'kind' | 'settings'>): Readonly<Of<Kind>> {
  // What was stored went through the contract of its kind.
  return { kind: row.kind, settings: parsed(row.kind, row.settings) } as Of<Kind>
}

function parsed(kind: Kind, text: string): object {
  const known = read[kind].get(text)
  if (known) return known
  const stored = JSON.parse(text) as object
  // In the order of what is stored: written back unchanged it is the same text.
  const settings = { ...stored, ...STARTS[kind], ...stored }
  if (read[kind].size >= READ_MOST) read[kind].clear()
  read[kind].set(text, settings)
  return settings
}
