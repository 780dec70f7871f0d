// Units of size: what a number counts (domain §4.8, rule 5).
import type { Unit } from '../../record.ts'
import { table, wordOf } from './spell.ts'

/** `lots`: the English word, 張 on stock; `contract`: lots on futures, shares on stock; `own`: the strategy's own unit; `bad`: percent, money, risk. */
export type SizeUnit = Unit | 'lots' | 'contract' | 'own' | 'bad'

const UNITS = table<SizeUnit>({
  lot: '口',
  lots: 'lot lots',
  contract: 'contract contracts ct cts',
  board_lot: 'board_lot board_lots 張 common common_lot round_lot 整股',
  share: 'share shares shr shrs 股 零股 odd odd_lot intraday_odd 盤中零股',
  own: 'fixed fixed_quantity quantity qty unit units fixed_size base absolute 固定',
  bad: 'percent pct percentage percent_of_equity percent_of_cash percent_of_position percent_of_balance equity_percent risk_percent risk_dollar_amount dollar_amount cash usd usdt twd ntd dollar dollars 元 塊 萬 萬元 % money notional quote amount value risk r 成 趴 百分比 金額 half quarter partial partially 半 一半 半數 部分 部份',
})

/** What a unit's word says, undefined when nobody knows it. */
export function unitOfWord(text: string): SizeUnit | undefined {
  const bare = text.normalize('NFKC').trim()
  if (bare === '%') return 'bad'
  return UNITS.get(wordOf(bare))
}
