// PowerLanguage's lines: Buy, Sell (which leaves a long position), SellShort, BuyToCover (docs/pages/domain.md §4.4, [S80]).
import type { BuiltIn } from './build.ts'
import { meanings } from './build.ts'
import { printed } from './xq.ts'

const TABLE = meanings([], {
  buy: { verb: 'entry', side: 'long' },
  sell: { verb: 'exit', side: 'long' },
  sellshort: { verb: 'entry', side: 'short' },
  buytocover: { verb: 'exit', side: 'short' },
})

export const multicharts: BuiltIn = {
  id: 'multicharts',
  name: 'MultiCharts 輸出檔',
  document: 'docs/pages/domain.md §4.4',
  formats: (multicharts) => (multicharts ? printed(['Buy', 'Sell', 'SellShort', 'BuyToCover'], TABLE) : []),
  examples: [{ body: '1261120 091500 MXF1! 46500 Sell', action: 'long_exit' }],
}
