// The door to a strategy's stored settings: past it they are typed by their kind.
import type { KindSettings } from '#contract/strategy-settings.ts'
import type { StrategyRow } from './schema.ts'

type Of<K extends StrategyRow['kind']> = Extract<KindSettings, { kind: K }>
/** By their text: a strategy's settings are looked at with every message and change once in a while. */
const read = new Map<string, object>()
const READ_MOST = 2_000

/** Kind and settings of a row, not to be changed in place: others look at the same object. */
export function settingsOf(row: Pick<StrategyRow, 'kind' | 'settings'>): Readonly<Of<StrategyRow['kind']>> {
  // What was stored went through the contract of its kind.
  return { kind: row.kind, settings: parsed(row.settings) } as Of<StrategyRow['kind']>
}

function parsed(text: string): object {
  const known = read.get(text)
  if (known) return known
  const settings = JSON.parse(text) as object
  if (read.size >= READ_MOST) read.clear()
  read.set(text, settings)
  return settings
}
