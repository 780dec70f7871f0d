// Bodies A–O become what domain §4.6 says; the template offered is the body recommended.
import { expect, test } from 'vitest'
import { MESSAGE_TEMPLATES } from '#trading/message-templates.ts'
import { readPayload } from '#trading/reader/generic.ts'
import { inputOf, webhookFixtures } from './fixtures.ts'
import { MXF, STOCK, signal } from './payload.ts'

const fixtures = webhookFixtures()
// domain §7.4: unparsedRule (H)
test('all fifteen letters have a fixture', () => {
  const letters = new Set(fixtures.map((f) => f.path.split('/')[1]?.[0]))
  expect([...letters].sort().join('')).toBe('abcdefghijklmno')
})
test.each(fixtures.map((f) => [f.title, f] as const))('%s', (_, fixture) => {
  const out = readPayload(inputOf(fixture))
  const { signal: wanted, extras, ...rest } = fixture.expect
  expect(out).toMatchObject(rest)
  if (wanted) expect(out).toMatchObject({ signal: wanted })
  if (extras) expect(out).toMatchObject({ normal: { extras } })
})
test('F never stores the account', () => {
  const out = signal(inputOf(fixtures.find((f) => f.path.endsWith('f-touchance'))!).body, {
    strategy: { ...MXF, product_code: 'TMF' },
  })
  expect(JSON.stringify(out)).not.toContain('F2000')
  expect(out.body_without_secret).toContain('sym=TC.F.TWF.TMF.HOT')
})
// domain §7.4: templates and what is easily forgotten at the sender
test('the recommended template is body B', () => {
  const text = MESSAGE_TEMPLATES.find((t) => t.id === 'tradingview_strategy')?.text ?? ''
  const keys = Object.keys(JSON.parse(text) as object)
  const b = JSON.parse(fixtures.find((f) => f.path.endsWith('b-strategy'))!.body) as object
  expect(keys).toEqual(Object.keys(b))
})

/** What TradingView puts into the variables of a template. */
const FILLED: Readonly<Record<string, string>> = {
  'strategy.order.id': 'Long',
  'strategy.order.action': 'buy',
  'strategy.order.contracts': '1',
  'strategy.order.price': '46512',
  'strategy.order.alert_message': 'long_entry',
  'strategy.order.comment': '突破',
  'strategy.market_position': 'long',
  'strategy.market_position_size': '1',
  'strategy.prev_market_position': 'flat',
  'strategy.prev_market_position_size': '0',
  interval: '15',
  timenow: '2026-11-20T01:15:00Z',
  close: '46512',
}
const templates = MESSAGE_TEMPLATES.filter(({ text }) => text.startsWith('{'))
test.each([
  ['futures', MXF, 'MXF1!', 'TAIFEX', 1],
  // TradingView counts shares: one contract of a stock is one share, whatever the strategy counts in.
  ['stock', STOCK, '2330', 'TWSE', 1],
] as const)(
  'every template is read on %s, its size as TradingView means it',
  (_, strategy, ticker, exchange, quantity) => {
    for (const { id, text } of templates) {
      const values: Record<string, string> = { ...FILLED, ticker, exchange }
      const body = text.replace(/\{\{([^}]+)\}\}/g, (whole, name: string) => values[name] ?? whole)
      const { signal: read, flags } = signal(body, { strategy })
      expect(read.symbol, id).toBe(ticker.replace('1!', ''))
      if (id !== 'indicator') expect([read.quantity, flags], id).toEqual([quantity, []])
      expect(read.price, id).toBe(46512)
    }
  },
)
