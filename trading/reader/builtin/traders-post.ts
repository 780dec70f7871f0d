// TradersPost's webhook schema: buy, sell, exit; the sentiment says on which side, or that nothing is left
// (https://docs.traderspost.io/docs/core-concepts/webhooks).
import type { BuiltIn } from './build.ts'
import { figure, meanings, object, optional, price, text, time, words } from './build.ts'

const TABLE = meanings([], {
  'buy bullish': { verb: 'entry', side: 'long' },
  'buy long': { verb: 'entry', side: 'long' },
  'sell bearish': { verb: 'entry', side: 'short' },
  'sell short': { verb: 'entry', side: 'short' },
  'buy flat': { verb: 'close_all', side: 'short' },
  'sell flat': { verb: 'close_all', side: 'long' },
  'exit flat': { verb: 'close_all' },
})

export const tradersPost: BuiltIn = {
  id: 'traderspost',
  name: 'TradersPost',
  document: 'https://docs.traderspost.io/docs/core-concepts/webhooks',
  formats: () => [
    object(
      [
        text('ticker', 'symbol'),
        words('action', 'action', ['buy', 'sell', 'exit']),
        words('sentiment', 'sentiment', ['bullish', 'long', 'bearish', 'short', 'flat']),
        ...optional([figure('quantity', 'quantity'), price('price', 'price'), time('time', 'stamp')]),
      ],
      TABLE,
    ),
  ],
  examples: [
    {
      body: '{"ticker":"MXF1!","action":"buy","sentiment":"bullish","quantity":1,"price":46500}',
      action: 'long_entry',
    },
    { body: '{"ticker":"MXF1!","action":"sell","sentiment":"flat","quantity":1}', action: 'long_exit' },
  ],
}
