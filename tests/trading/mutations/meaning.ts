// What a mutated message may be read as, worked out from what the unharmed one means and from the strategy.
import type { PayloadStrategy } from '#trading/reader/shape.ts'
import type { Action } from '#trading/record.ts'
import { alternativesOf, type CorpusCase, strategyOf, type WantedSignal } from '../corpus.ts'
import { type Body, type Leaf, leavesOf, parse, type Role } from './body.ts'

/** A body that is read in one way, with its leaves. */
export interface Base {
  entry: CorpusCase
  strategy: PayloadStrategy
  body: Body
  leaves: readonly Leaf[]
  meant: WantedSignal
  /** The action stands in one leaf, and nothing beside it changes what it means. */
  plain: boolean
}

/** The bodies of the corpus that mean one signal and nothing else. */
export function basesOf(entries: readonly CorpusCase[]): Base[] {
  return entries.flatMap((entry) => {
    if (entry.as_it_stands) return []
    const [only, ...others] = alternativesOf(entry.expect)
    if (only === undefined || others.length > 0 || !('signal' in only)) return []
    const { flags: _, occurred_at: __, ...meant } = only.signal
    const body = parse(entry.body)
    const leaves = leavesOf(body)
    const saying = leaves.filter(({ role }) => role === 'action' || role === 'side')
    const plain =
      saying.length === 1 && entry.format === undefined && !leaves.some(({ role }) => role === 'modifier')
    return [{ entry, strategy: strategyOf(entry), body, leaves, meant, plain }]
  })
}

export function leavesAs(base: Base, role: Role): Leaf[] {
  return base.leaves.filter((leaf) => leaf.role === role)
}

/** Shares in one of the strategy's units. */
function sizeOf({ kind, unit }: PayloadStrategy): number {
  return kind !== 'futures' && unit === 'board_lot' ? 1000 : 1
}

const SIDED_EXITS: readonly Action[] = ['long_exit', 'short_exit']

/** Readings when no size is said any more. */
export function withoutSize({ meant, strategy }: Base): WantedSignal[] {
  const fallback = strategy.default_quantity * sizeOf(strategy)
  if (meant.action === 'target' || meant.action === 'close_all') return [meant]
  if (SIDED_EXITS.includes(meant.action)) return [{ ...meant, quantity: null }]
  if (meant.action === 'exit')
    return [
      { ...meant, action: 'close_all', quantity: null },
      { ...meant, quantity: fallback },
    ]
  if (meant.action === 'reverse') return [{ ...meant, quantity: null }]
  return [{ ...meant, quantity: fallback }]
}

/** Readings when no product is said any more: the strategy's own month, or none. */
export function withoutSymbol({ meant, strategy }: Base): WantedSignal[] {
  const own =
    strategy.kind === 'futures' ? strategy.product_code === meant.symbol : strategy.symbols.length === 1
  const { contract: _, ...rest } = meant
  return own ? [rest] : []
}

/** Readings when the price's own leaf is gone: another price leaf, the bar's close, none. */
export function withoutPrice(base: Base, gone: Leaf): WantedSignal[] {
  const rest = [...leavesAs(base, 'price'), ...leavesAs(base, 'close')].filter((leaf) => leaf !== gone)
  const prices = rest.map(({ value }) => Number(String(value).replaceAll(',', ''))).filter((n) => n > 0)
  return [null, ...prices].map((price) => ({ ...base.meant, price }))
}

/** A size that does not decide anything: the strategy's is fixed, or a position is reported, or all is closed. */
export function sizeless({ strategy, meant }: Base): boolean {
  return strategy.quantity_mode === 'fixed' || meant.action === 'target' || meant.action === 'close_all'
}

/** Readings with another size in lots or shares; opening ten times the strategy's limit is none. */
export function resized(base: Base, quantity: number): WantedSignal[] {
  const { meant, strategy } = base
  if (sizeless(base)) return [meant]
  const closes = SIDED_EXITS.includes(meant.action) || meant.action === 'exit'
  const most = strategy.max_position * sizeOf(strategy) * 10
  return closes || quantity < most ? [{ ...meant, quantity }] : []
}

/** Every way to leave a position, with the size as said or all of it. */
export function exits({ meant }: Base): WantedSignal[] {
  if (meant.action === 'target') return [meant]
  return (['exit', 'long_exit', 'short_exit', 'close_all'] as const).flatMap((action) => [
    { ...meant, action },
    { ...meant, action, quantity: null },
  ])
}

export const FLIPPED: Partial<Record<Action, Action>> = {
  buy: 'sell',
  sell: 'buy',
  long_entry: 'short_entry',
  short_entry: 'long_entry',
  long_exit: 'short_exit',
  short_exit: 'long_exit',
}
/** Words for each action, as senders write them. */
export const WORDS: Partial<Record<Action, readonly string[]>> = {
  buy: ['buy', 'BUY', '買進', 'B'],
  sell: ['sell', 'SELL', '賣出', 'S'],
  long_entry: ['long_entry', '新買', '做多', 'enter_long', 'long', 'buy_to_open'],
  short_entry: ['short_entry', '新賣', '放空', 'enter_short', 'short', 'sell_to_open'],
  long_exit: ['long_exit', '平賣', 'close_long', 'exit_long', 'sell_to_close', '多單出場'],
  short_exit: ['short_exit', '平買', 'close_short', 'exit_short', 'buytocover', '空單出場', '回補'],
}

/** Whether a leaf says what to do. */
export const isSaying = ({ role }: Leaf) => role === 'action' || role === 'side'

/** Without the leaf the action may come from elsewhere: not a question that these mutations ask. */
export const deciding = (base: Base, leaf: Leaf) =>
  leaf.role === 'modifier' ||
  leaf.role === 'position' ||
  (isSaying(leaf) && (!base.plain || base.strategy.kind === 'xq-stock'))
