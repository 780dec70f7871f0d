// The part of a stored strategy that decides how a message is read.
import type { PayloadStrategy } from '#trading/payload/shape.ts'
import type { StrategyRow } from '../db/schema.ts'

type Settings = Readonly<Record<string, unknown>>
/** By their text: a strategy's settings come with every message and change once in a while. */
const read = new Map<string, Settings>()
const READ_MOST = 2_000

/** What of the row decides reading. */
export function payloadStrategy(row: StrategyRow): PayloadStrategy {
  const settings = settingsOf(row.settings)
  const text = (key: string) => (typeof settings[key] === 'string' ? (settings[key] as string) : null)
  const default_action = text('default_action')
  return {
    kind: row.kind,
    product_code: text('product_code'),
    contract_rule: text('contract_rule') as PayloadStrategy['contract_rule'],
    contract_month: text('contract_month'),
    symbols: Array.isArray(settings['symbols']) ? (settings['symbols'] as string[]) : [],
    unit: row.kind === 'futures' ? 'lot' : settings['unit'] === 'share' ? 'share' : 'board_lot',
    direction: row.direction,
    quantity_mode: row.quantity_mode,
    default_quantity: row.default_quantity,
    on_symbol_mismatch: row.on_symbol_mismatch,
    late_after_s: row.late_after_s,
    max_position: row.max_position,
    ...(default_action !== null && { default_action: default_action as 'entry' | 'exit' | 'by_content' }),
  }
}

function settingsOf(text: string): Settings {
  const known = read.get(text)
  if (known) return known
  const settings = JSON.parse(text) as Settings
  if (read.size >= READ_MOST) read.clear()
  read.set(text, settings)
  return settings
}
