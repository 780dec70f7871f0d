// Lines that XQ prints: a day and a clock, and behind them price, action and symbol in the orders in which they are seen
// (docs/pages/domain.md §4.3). A radar's line names no action: the strategy says what a trigger means.

import { tailOf } from '../lines.ts'
import { type BuiltIn, line, meanings, price, text, time, words } from './build.ts'

const ACTIONS = ['新買', '新賣', '平買', '平賣', '強制平倉', '全部平倉', '買進', '賣出']
const TABLE = meanings(ACTIONS, { 強制平倉: { verb: 'close_all', forced: true } })

export function printed(actions: readonly string[], table: ReturnType<typeof meanings>) {
  const clocks = [1, 2].map((pieces) => time('#1', 'now', { name: 'timenow', ...(pieces > 1 && { pieces }) }))
  const action = words('#2', 'action', actions, { name: 'action' })
  const at = price('#3', 'price', { name: 'price' })
  const symbol = text('#4', 'symbol', { name: 'symbol' })
  return clocks.flatMap((clock) => [
    line('{0} {1} {2}', [clock, at, action], table, true),
    line('{0} {2} {1}', [clock, at, action], table, true),
    line('{0} {3} {1} {2}', [clock, at, action, symbol], table, true),
    line('{0} {3} {2} {1}', [clock, at, action, symbol], table, true),
  ])
}

const radar = [1, 2].flatMap((pieces) => {
  const clock = time('#1', 'now', { name: 'timenow', ...(pieces > 1 && { pieces }) })
  const fields = [clock, text('#2', 'symbol', { name: 'symbol' }), price('#3', 'price', { name: 'price' })]
  const note = text('#4', 'note', { name: 'note' })
  return [line('{0} {1} {2}', fields, {}, true), line('{0} {1} {2} {3}', [...fields, note], {}, true)]
})

export const xq: BuiltIn = {
  id: 'xq',
  name: 'XQ 輸出檔',
  document: 'docs/pages/domain.md §4.3',
  formats: () => printed(ACTIONS, TABLE),
  examples: [
    { body: '20261120093000 46520 新買', action: 'long_entry' },
    { body: '20261120.000000 93000.000000 2330.TW 1085.000000 新買', action: 'long_entry' },
  ],
}

export const xqRadar: BuiltIn = {
  id: 'xq-radar',
  name: 'XQ 策略雷達',
  document: 'docs/pages/domain.md §4.3',
  formats: () => radar,
  // What stands behind the price is the script's own text, as long as no word of it is one of an order's.
  accepts: (values) =>
    String(values[3] ?? '')
      .split(' ')
      .every((word) => word === '' || tailOf(word, ['symbol', 'price']) === 'note'),
  examples: [{ body: '20261120.000000 93000.000000 2330.TW 1085.00 突破20日高', action: 'long_entry' }],
}

// PowerLanguage's lines: Buy, Sell (which leaves a long position), SellShort, BuyToCover (docs/pages/domain.md §4.4, [S80]).
const POWERLANGUAGE = meanings([], {
  buy: { verb: 'entry', side: 'long' },
  sell: { verb: 'exit', side: 'long' },
  sellshort: { verb: 'entry', side: 'short' },
  buytocover: { verb: 'exit', side: 'short' },
})

export const multicharts: BuiltIn = {
  id: 'multicharts',
  name: 'MultiCharts 輸出檔',
  document: 'docs/pages/domain.md §4.4',
  formats: (multicharts) =>
    multicharts ? printed(['Buy', 'Sell', 'SellShort', 'BuyToCover'], POWERLANGUAGE) : [],
  examples: [{ body: '1261120 091500 MXF1! 46500 Sell', action: 'long_exit' }],
}
