// A closed trade as a list of values in a fixed order, as chapters store it: half the room of an object, and read as quickly.
import { tradeId } from '#trading/fold/close.ts'
import type { Trade } from '#trading/record.ts'

/** The names of a trade's values in their order; its id is made of two of them. */
const NAMES = [
  ...(['round_trip_id', 'symbol', 'contract', 'side', 'quantity'] as const),
  ...(['entry_signal_id', 'entry_at', 'entry_price', 'exit_signal_id', 'exit_at', 'exit_price'] as const),
  ...(['exit_trading_date', 'gross', 'fee', 'tax', 'slippage', 'net', 'return_pct'] as const),
  ...(['holding_minutes', 'day_trade', 'max_run_up', 'max_drawdown'] as const),
] as const satisfies readonly (keyof Trade)[]

/** Names this order: chapters of another one are not read. */
export const TRADE_FORMAT = NAMES.join()

type Fields<N extends readonly (keyof Trade)[] = typeof NAMES> = {
  -readonly [I in keyof N]: Trade[N[I]]
}

/** The values of a trade. */
export function fieldsOf(trade: Trade): unknown[] {
  return NAMES.map((name) => trade[name])
}

/** The trade of such a list. */
export function tradeOf(fields: unknown): Trade {
  // biome-ignore format: the order of NAMES
  const [
    round_trip_id, symbol, contract, side, quantity,
    entry_signal_id, entry_at, entry_price, exit_signal_id, exit_at, exit_price,
    exit_trading_date, gross, fee, tax, slippage, net, return_pct,
    holding_minutes, day_trade, max_run_up, max_drawdown,
  ] = fields as Fields
  // biome-ignore format: one literal, so that all trades are of one shape
  return {
    id: tradeId(entry_signal_id, exit_signal_id), round_trip_id, symbol, contract, side, quantity,
    entry_signal_id, entry_at, entry_price, exit_signal_id, exit_at, exit_price,
    exit_trading_date, gross, fee, tax, slippage, net, return_pct,
    holding_minutes, day_trade, max_run_up, max_drawdown,
  }
}
