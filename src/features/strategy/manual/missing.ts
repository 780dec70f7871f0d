// 補一筆: what was missed before a signal whose source stood elsewhere, as the sheet of a manual signal begins with it.
import type { PositionGap, Strategy } from '#contract/strategy.ts'
import type { OpenKey } from '#trading/fold/state.ts'
import { openAtAverage } from '#trading/foresee.ts'
import { UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import type { FoldTerms } from '#trading/terms.ts'
import type { ActionKey } from './actions.ts'
import type { EntryDraft } from './draft.ts'

const MINUTE = 60_000

/** The positions that it would have met: only that of its own product is known. */
export function openBefore({ symbol, contract, held }: PositionGap, terms: FoldTerms): OpenKey[] {
  const position = { symbol, contract, quantity: held, avg_price: null, ref_at: null }
  return held === 0 ? [] : openAtAverage([position], '1970-01-01T00:00:00.000Z', terms)
}

/** Bought or sold, whatever was held: both lead anywhere the source may have gone. */
export function missingKeys(held: number): ActionKey[] {
  const keys: ActionKey[] = [
    { action: 'buy', label: '買進' },
    { action: 'sell', label: '賣出' },
  ]
  return held === 0 ? keys : [...keys, { action: 'close_all', label: '全部平倉', whole: true }]
}

/** The whole difference at once, in the minute before; its price only the person knows. */
export function missingDraft(gap: PositionGap, strategy: Strategy): Partial<EntryDraft> {
  const difference = gap.reported - gap.held
  const own = unitOf(strategy)
  const whole = Math.abs(difference) % UNIT_FACTS[own].size === 0
  const unit = whole ? own : 'share'
  const before = Math.floor((Date.parse(gap.occurred_at) - 1) / MINUTE) * MINUTE
  return {
    symbol: gap.symbol,
    ...(gap.contract && { contract: gap.contract }),
    action: difference > 0 ? 'buy' : 'sell',
    quantity: String(Math.abs(difference) / UNIT_FACTS[unit].size),
    unit,
    price: '',
    at: new Date(before + 8 * 60 * MINUTE).toISOString().slice(0, 16),
  }
}
