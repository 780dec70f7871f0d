// The list as the device filters and sorts it.
import { describe, expect, it } from 'vitest'
import type { Strategy } from '#contract/strategy.ts'
import { messageOf, partsOf, unreachable } from '#features/strategy/connect/senders.ts'
import { arrange, type Filters, tagsOf } from '#features/strategy/list/arrange.ts'
import { contractText, strategyLine, warningText } from '#text/strategy.ts'
import { exampleSymbol } from '#trading/examples.ts'

type Given = {
  name: string
  kind?: string
  code?: string
  status?: string
  tags?: string[]
  net?: number
  rate?: number | null
  mdd?: number | null
  last?: string | null
  created?: string
  direction?: string
}

function strategy({
  name,
  kind = 'futures',
  code = 'MXF',
  status = 'active',
  tags = [],
  net = 0,
  rate = null,
  mdd = null,
  last = null,
  created = '2026-01-01',
  direction = 'both',
}: Given): Strategy {
  const settings =
    kind === 'futures'
      ? { product_code: code, contract_rule: 'near', contract_month: null, session: 'day' }
      : { symbols: [code] }
  return {
    name,
    kind,
    status,
    tags,
    direction,
    settings,
    timeframe: '5',
    created_at: created,
    summary: { net_profit: net, win_rate: rate, max_drawdown_pct: mdd },
    last_signal: last && { occurred_at: last },
  } as unknown as Strategy
}

const all: Filters = { kind: 'futures', status: '', tag: '', direction: '', search: '', sort: 'last_signal' }
const names = (list: readonly Strategy[], changes: Partial<Filters>) =>
  arrange(list, { ...all, ...changes }).map(({ name }) => name)

describe('filters', () => {
  const list = [
    strategy({ name: '台指當沖', code: 'TXF', tags: ['當沖'] }),
    strategy({ name: '波段', code: 'MXF', direction: 'long' }),
    strategy({ name: '舊的', status: 'archived' }),
    strategy({ name: '雷達', kind: 'xq-stock', code: '2330' }),
  ]
  it.each<[Partial<Filters>, string[]]>([
    [{}, ['台指當沖', '波段']],
    [{ kind: 'stock' }, ['雷達']],
    [{ status: 'archived' }, ['舊的']],
    [{ direction: 'long' }, ['波段']],
    [{ tag: '當沖' }, ['台指當沖']],
    [{ search: '大台' }, ['台指當沖']],
    [{ search: 'ｔｘｆ' }, ['台指當沖']],
    [{ search: '小型臺指' }, ['波段']],
    [{ kind: 'stock', search: '2330' }, ['雷達']],
    [{ search: '沒有' }, []],
  ])('%o', (changes, wanted) => expect(names(list, changes)).toEqual(wanted))

  it('offers every tag once', () => {
    expect(tagsOf([...list, ...list])).toEqual(['當沖'])
  })
})

describe('order', () => {
  const list = [
    strategy({
      name: '甲',
      net: 1,
      rate: 0.4,
      mdd: 0.3,
      last: '2026-11-20T01:00:00.000Z',
      created: '2026-01-03',
    }),
    strategy({ name: '乙', net: 9, rate: null, mdd: null, last: null, created: '2026-01-02' }),
    strategy({
      name: '丙',
      net: -5,
      rate: 0.6,
      mdd: 0.1,
      last: '2026-11-20T02:00:00.000Z',
      created: '2026-01-01',
    }),
  ]
  it.each<[Filters['sort'], string[]]>([
    ['last_signal', ['丙', '甲', '乙']],
    ['net_profit', ['乙', '甲', '丙']],
    ['win_rate', ['丙', '甲', '乙']],
    ['max_drawdown', ['丙', '甲', '乙']],
    ['created', ['甲', '乙', '丙']],
  ])('%s: what has no figure comes last', (sort, wanted) => expect(names(list, { sort })).toEqual(wanted))
})

describe('words', () => {
  it('of contracts, lines and warnings', () => {
    expect(['C1', 'C2', '202612', '202611W2', null].map(contractText)).toEqual([
      '近月',
      '次月',
      '12月',
      '11月W2',
      '',
    ])
    expect(strategyLine(strategy({ name: 'x', code: 'TXF' }))).toBe('大台 近月 · 5 分 · 多空 · 日盤')
    const counts = { pending_price_count: 3, price_suspect_count: 2 }
    expect(warningText({ warnings: ['no_webhook', 'position_gap'], ...counts })).toBe('部位不一致')
    expect(warningText({ warnings: ['pending_price'], ...counts })).toBe('待補價 3')
    expect(warningText({ warnings: ['pending_price', 'price_suspect'], ...counts })).toBe('價格可疑 2')
    expect(warningText({ warnings: [], ...counts })).toBeNull()
  })
})

describe('the message to paste', () => {
  it('stays JSON when it is written one field per line', () => {
    const { text } = messageOf('tradingview_strategy', 'https://lingbo.tw/hooks/x', strategy({ name: 'x' }))
    expect(text.split('\n').length).toBeGreaterThan(8)
    expect(JSON.parse(text)).toMatchObject({ symbol: '{{exchange}}:{{ticker}}' })
    expect(
      partsOf(text)
        .map((part) => (typeof part === 'string' ? part : part.text))
        .join(''),
    ).toBe(text)
  })

  it('names this webhook and this product in the command', () => {
    const { text } = messageOf('curl', 'https://lingbo.tw/hooks/x', strategy({ name: 'x', code: 'TXF' }))
    expect(text).toContain("'https://lingbo.tw/hooks/x'")
    expect(text).toContain('"symbol":"TXF1!"')
    expect(exampleSymbol(strategy({ name: 'x', code: 'EXF' }).settings)).toBe('EXF1!')
  })

  it('says when TradingView cannot reach the address', () => {
    expect(unreachable('https://lingbo.tw/hooks/x')).toBeNull()
    expect(unreachable('http://lingbo.tw/hooks/x')).toBeNull()
    expect(unreachable('https://lingbo.tw:8443/hooks/x')).toContain('8443')
    for (const host of ['localhost:8787', '127.0.0.1', '192.168.1.5', '[::1]:8787', 'nas.local'])
      expect(unreachable(`http://${host}/hooks/x`)).toContain('本機')
  })
})
