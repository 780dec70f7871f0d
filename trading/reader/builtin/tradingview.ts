// TradingView's default strategy message, in English and as its Chinese screens write it, alone or in the one field of an object
// (docs/pages/domain.md §4.1, [S57]).

import type { Format, FormatField } from '../format.ts'
import { against } from '../lines.ts'
import type { BuiltIn } from './build.ts'
import { figure, line, meanings, text, words } from './build.ts'

const FIELDS: FormatField[] = [
  text('#1', 'note', { name: 'note' }),
  words('#2', 'action', ['buy', 'sell'], { name: 'action' }),
  figure('#3', 'contracts', { name: 'contracts' }),
  text('#4', 'symbol', { name: 'ticker' }),
  figure('#5', 'position', { name: 'position_size' }),
]
const SENTENCES = [
  '{0}: order {1} @ {2} filled on {3}. New strategy position is {4}',
  '{0}：訂單{1} @ {2}已成交{3}。新策略倉位是{4}',
  '{0}：订单{1} @ {2}已成交{3}。新策略仓位是{4}',
].flatMap((one) => [one, one.replace(/^\{0\}. ?/, '')])
/** Without a name in front: its place is there, and always empty. */
const unnamed = FIELDS.map((one, i) => (i === 0 ? { ...one, path: '', constant: '' } : one))
const WRAPPERS = ['message', 'text', 'content']

const sentences = SENTENCES.map((one) =>
  line(one, one.startsWith('{0}') ? FIELDS : unnamed, meanings(['buy', 'sell'])),
)

export const tradingView: BuiltIn = {
  id: 'tradingview',
  name: 'TradingView 預設訊息',
  document: 'docs/pages/domain.md §4.1',
  formats: () => [
    ...sentences,
    ...WRAPPERS.flatMap((wrapper) => sentences.map((one): Format => ({ ...one, wrapper }))),
  ],
  // A strategy may be called anything, but not by a word that takes the order back.
  accepts: ([name]) => against(String(name ?? '')) === undefined,
  examples: [
    {
      body: 'MA Cross (5, 20): order sell @ 1 filled on TXF1!. New strategy position is -1',
      action: 'target',
      target: -1,
    },
    { body: '策略A (10, 3)：訂單buy @ 1已成交MXF1!。新策略倉位是1', action: 'target', target: 1 },
    { body: '{"message":"訂單sell @ 1已成交MXF1!。新策略倉位是-1"}', action: 'target', target: -1 },
  ],
}
