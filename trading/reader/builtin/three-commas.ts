// 3Commas' Signal Bot: its four custom actions (https://help.3commas.io/en/articles/8690000).
import type { BuiltIn } from './build.ts'
import { figure, meanings, object, optional, price, text, time, words } from './build.ts'

const ACTIONS = ['enter_long', 'exit_long', 'enter_short', 'exit_short']

export const threeCommas: BuiltIn = {
  id: '3commas',
  name: '3Commas Signal Bot',
  document: 'https://help.3commas.io',
  formats: () => [
    object(
      [
        words('action', 'action', ACTIONS),
        text('tv_instrument', 'symbol'),
        ...optional([
          text('bot_uuid', 'ignored'),
          figure('max_lag', 'ignored'),
          time('timestamp', 'stamp'),
          price('trigger_price', 'price'),
          text('tv_exchange', 'exchange'),
        ]),
      ],
      meanings(ACTIONS),
    ),
  ],
  examples: [
    {
      body: '{"action":"enter_long","tv_instrument":"MXF1!","tv_exchange":"TAIFEX","timestamp":"2026-11-20T01:15:00Z","trigger_price":"46500","max_lag":"300","bot_uuid":"x"}',
      action: 'long_entry',
    },
  ],
}
