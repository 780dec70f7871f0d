// The product's own object: what its templates send, in any choice of these parts (docs/pages/domain.md §4.6 A, B).
import { MESSAGE_TEMPLATES } from '../../message-templates.ts'
import { type BuiltIn, figure, meanings, object, optional, place, price, text, time, words } from './build.ts'

const ACTIONS = [
  ...['buy', 'sell', 'long_entry', 'long_exit', 'short_entry', 'short_exit', 'close_all'],
  ...['買進', '賣出', '新買', '新賣', '平買', '平賣', '全部平倉'],
]

/** What a sender of PowerLanguage means by these is not what everybody means. */
const OTHERWISE = { buy: 1, sell: 1, 買進: 1, 賣出: 1 }

/** What may stand beside an action, in any choice. */
const BESIDE = optional([
  text('symbol', 'symbol'),
  text('ticker', 'symbol'),
  text('exchange', 'exchange'),
  price('price', 'price'),
  place('market_position', 'market_position'),
  figure('market_position_size', 'market_size'),
  place('prev_market_position', 'prev_market_position'),
  figure('prev_market_position_size', 'prev_market_size'),
  time('timenow', 'now'),
  time('timestamp', 'stamp'),
  time('time', 'time'),
  text('id', 'id'),
  text('interval', 'timeframe'),
  text('comment', 'note'),
  text('note', 'note'),
])
const SIZES = optional([
  figure('quantity', 'quantity'),
  figure('qty', 'quantity'),
  figure('contracts', 'contracts'),
])

export const lingbo: BuiltIn = {
  id: 'lingbo',
  name: '訊息範本',
  document: `docs/pages/domain.md §4.6 A、B（${MESSAGE_TEMPLATES[0]?.label}）`,
  formats: (multicharts) => {
    const actions = multicharts ? ACTIONS.filter((word) => !(word in OTHERWISE)) : ACTIONS
    return [
      object([words('action', 'action', actions), ...SIZES, ...BESIDE], meanings(actions)),
      // The position afterwards beside the order that leads to it.
      object(
        [
          words('action', 'action', ['buy', 'sell']),
          figure('contracts', 'contracts'),
          figure('position_size', 'position'),
          ...BESIDE,
        ],
        meanings(['buy', 'sell']),
      ),
    ]
  },
  examples: [
    {
      body: '{"action":"long_entry","symbol":"MXFR1","quantity":2,"timestamp":"2026-11-20T01:15:00Z"}',
      action: 'long_entry',
    },
    {
      body: '{"id":"Long-2026-11-20T01:15:00Z","symbol":"TAIFEX:MXF1!","action":"buy","contracts":"2","price":"46512","market_position":"long","market_position_size":"2","prev_market_position":"flat","prev_market_position_size":"0","interval":"15","timenow":"2026-11-20T01:15:00Z","comment":"突破進場"}',
      action: 'target',
      target: 2,
    },
  ],
}
