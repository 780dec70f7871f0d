// What the signal screens compute: days and their sums, filters and addresses, costs that add up, mapping, curl.
import { describe, expect, it, test } from 'vitest'
import type { SignalRecord } from '#contract/signal.ts'
import { entriesOf, entryAt, startsOf } from '#features/signal/days.ts'
import { costsOf } from '#features/signal/record/costs.ts'
import { averageBefore, previousInChain } from '#features/signal/record/neighbours.ts'
import { priceNow, readPrice, tickOf } from '#features/signal/record/price.ts'
import { filterKey, matcher, parseSignalSearch, tidy } from '#features/signal/search.ts'
import { formOf, mappingOf, said } from '#features/strategy/detail/webhook/use-format.ts'
import { curlOf, marked, maskedUrl, verdictOf } from '#features/strategy/detail/webhook/words.ts'
import { priceText, productText, rowOf } from '#text/row.ts'
import { fieldsText, readingText } from '#text/webhook.ts'
import type { Role } from '#trading/reader/format.ts'
import { tables } from '#trading/tables.ts'

let made = 0
function record(
  change: Partial<Omit<SignalRecord, 'derived'>> = {},
  derived: Partial<SignalRecord['derived']> = {},
): SignalRecord {
  made += 1
  const id = `01a1f917-0000-7000-8000-${String(made).padStart(12, '0')}`
  return {
    id,
    strategy_id: 's1',
    chain_seq: made,
    source: 'webhook',
    refers_to: null,
    external_id: null,
    asset: 'futures',
    symbol_raw: 'TMF1!',
    symbol: 'TMF',
    contract: '202612',
    action: 'buy',
    quantity: 5,
    unit: 'lot',
    target_position: null,
    reported_prev: null,
    price: 46541,
    occurred_at: '2026-11-20T02:24:00.000Z',
    received_at: '2026-11-20T02:24:00.412Z',
    timeframe: null,
    note: null,
    reason: null,
    body_sha256: null,
    created_by: null,
    seq: made,
    prev_hash: 'a',
    hash: 'b',
    webhook_id: null,
    delivery_id: null,
    symbol_name: '微型臺指期貨',
    trading_date: '2026-11-20',
    session: 'day',
    quiet: false,
    flags: [],
    ...change,
    derived: {
      status: 'ok',
      effect: 'close',
      none_reason: null,
      side: 'flat',
      position_before: -5,
      position_after: 0,
      avg_price_after: null,
      price_used: 46541,
      realised_pnl: 1060,
      fee: 50,
      tax: 45,
      ...derived,
    },
  }
}

describe('days', () => {
  it('newest trading day first, also where a night session and a stock interleave; voided results do not count', () => {
    const night = record({ trading_date: '2026-11-23' }, { realised_pnl: null })
    const stock = record({ trading_date: '2026-11-20' }, { realised_pnl: 0.1 })
    const other = record({ trading_date: '2026-11-23' }, { realised_pnl: 500, status: 'voided' })
    const last = record({ trading_date: '2026-11-20' }, { realised_pnl: 0.2 })
    const entries = entriesOf([night, stock, other, last])
    expect(
      entries.map((entry) => (entry.kind === 'day' ? [entry.day, entry.count, entry.realised] : entry.key)),
    ).toEqual([['2026-11-23', 2, null], night.id, other.id, ['2026-11-20', 2, 0.3], stock.id, last.id])
  })
  it('finds the entry under a height', () => {
    const starts = startsOf(entriesOf([record(), record({ trading_date: '2026-11-19' })]), 64, 36)
    expect([...starts]).toEqual([0, 36, 100, 136, 200])
    expect([-5, 0, 35, 36, 99, 100, 150, 999].map((y) => entryAt(starts, y))).toEqual([
      0, 0, 0, 1, 1, 2, 3, 3,
    ])
  })
})

describe('filters', () => {
  it('reads only what it knows from an address, numbers as text', () => {
    expect(parseSignalSearch({ text: 2330, side: 'long', effect: 'nonsense', org: 'x', kind: '' })).toEqual({
      text: '2330',
      side: 'long',
    })
    expect(tidy({ text: '', side: undefined, source: 'manual' })).toEqual({ source: 'manual' })
  })
  it('the opened record is no filter', () => {
    expect(filterKey({ signal: 'a' })).toBe(filterKey({}))
    expect(matcher({ signal: 'a' }, new Map())).toBeNull()
  })
  it('side is the one acted on: closing a short is short although flat after', () => {
    const short = matcher({ side: 'short' }, new Map())
    expect(short?.(record())).toBe(true)
    expect(matcher({ side: 'long' }, new Map())?.(record())).toBe(false)
  })
  // domain §7.5: filters 動作, 來源, 代號
  it('text finds product, label, note and the strategy by name', () => {
    const names = new Map([['s1', '微台均值回歸']])
    const find = (text: string) => matcher({ text }, names)?.(record({ note: '突破' }))
    expect(['tmf', '均值', '突破', '平倉', '46541'].map(find)).toEqual([true, true, true, true, true])
    expect(find('大台')).toBe(false)
  })
})

describe('the opened record', () => {
  it('costs add up to the net of the mockup: 46,566 → 46,541 × 5 微台 = +1,060', () => {
    const costs = costsOf(record(), 46566)
    expect(costs?.lines.map(({ label, value }) => [label, value])).toEqual([
      ['毛損益', 1250],
      ['手續費', -50],
      ['期交稅', -45],
      ['進場時的成本', -95],
    ])
    expect(costs?.lines[0]?.detail).toBe('+25 點 × 10 元 × 5 口')
    expect(costs?.lines.reduce((sum, { value }) => sum + value, 0)).toBe(costs?.net)
  })
  it('adds up also where the record does not prove the gross: the rest is one line', () => {
    for (const costs of [
      costsOf(record({}, { effect: 'reduce' }), 46566),
      costsOf(record(), null),
      costsOf(record(), 46541),
    ]) {
      expect(costs?.lines.map(({ label, value }) => [label, value])).toEqual([
        ['價差', 1155],
        ['手續費', -50],
        ['期交稅', -45],
      ])
      expect(costs?.lines.reduce((sum, { value }) => sum + value, 0)).toBe(costs?.net)
    }
    expect(costsOf(record({}, { realised_pnl: null, fee: null, tax: null }), null)).toBeNull()
  })
  it('a reversal counts what it closed: its own order also opened the other side', () => {
    // 大台 +1 → −1: 45,862 → 45,938, 50 元 a side, tax 183 and 184; the order of two lots cost 100 and 368
    const turned = { effect: 'reverse', side: 'short', position_before: 1, position_after: -1 } as const
    const money = { price_used: 45938, realised_pnl: 14_733, fee: 100, tax: 368 }
    const costs = costsOf(record({ symbol: 'TXF', price: 45938 }, { ...turned, ...money }), 45862)
    expect(costs?.lines.map(({ label, value }) => [label, value])).toEqual([
      ['毛損益', 15_200],
      ['進出場的成本', -467],
    ])
    expect(costsOf(record({ symbol: 'TXF' }, { ...turned, ...money }), null)?.lines).toEqual([])
  })
  it('takes the average from the record that left the position', () => {
    const before = record(
      { occurred_at: '2026-11-20T01:00:00.000Z' },
      { effect: 'open', position_before: 0, position_after: -5, avg_price_after: 46566 },
    )
    const now = record({ chain_seq: before.chain_seq + 1 })
    expect(averageBefore(now, [now, before])).toBe(46566)
    expect(averageBefore(now, [now])).toBeNull()
    expect(previousInChain(now, [now, before])).toBe(before)
  })
  it('names products and never cuts a price that lies off its tick', () => {
    expect(productText(record())).toBe('微台 12月')
    expect(priceText(record(), 46541.25)).toBe('46,541.25')
    expect(priceText(record({ symbol: 'EXF' }), 2648.5)).toBe('2,648.50')
    expect(rowOf(record({ source: 'void' }, { effect: 'none' }), null)).toMatchObject({
      seal: '廢',
      action: '作廢',
    })
  })
})

describe('void and correction', () => {
  it('a corrected row says the price that counts, the pointers why', () => {
    const idle = { effect: 'none', price_used: null, realised_pnl: null } as const
    const corrected = rowOf(record({ price: 64541 }, { status: 'corrected', price_used: 46541 }), null)
    expect(corrected).toMatchObject({ price: '46,541', voided: false })
    const pointer = (change: Parameters<typeof record>[0]) =>
      rowOf(record({ refers_to: 'x', ...change }, { ...idle, none_reason: '作廢紀錄' }), null).states
    expect(pointer({ source: 'void', reason: '腳本重複觸發' })).toMatchObject([{ text: '腳本重複觸發' }])
    const long = pointer({ source: 'void', reason: '因'.repeat(200) })
    expect([...(long[0]?.text ?? '')]).toHaveLength(15)
    expect(pointer({ source: 'correction', note: '成交回報' })).toMatchObject([{ text: '成交回報' }])
  })
  it('one about a signal from before the first day says so, and nothing of it', () => {
    const untold = { symbol: '', symbol_name: '', contract: null, price: null, quantity: null } as const
    const idle = { effect: 'none', price_used: null, realised_pnl: null } as const
    for (const source of ['void', 'correction'] as const)
      for (const asset of ['futures', 'stock'] as const)
        expect(rowOf(record({ ...untold, source, asset, action: 'target' }, idle), null)).toMatchObject({
          action: source === 'void' ? '作廢' : '更正',
          product: '先前的訊號',
          price: '',
          states: [{ text: '內容不顯示' }],
          pnl: null,
        })
  })
  it('the price now is the newest correction, else its own, else none', () => {
    const bare = record({ price: null }, { status: 'pending_price', price_used: null })
    expect(priceNow(bare, [bare])).toBeNull()
    const given = (price: number) => record({ source: 'correction', refers_to: bare.id, price })
    const corrections = [given(46500), given(46510)]
    expect(priceNow(bare, corrections)).toBe(46510)
    expect(priceNow(bare, corrections.toReversed())).toBe(46510)
    expect(priceNow(record(), [])).toBe(46541)
  })
  it('a typed price is read as the server reads it', () => {
    expect(readPrice(' 46541.25 ', null)).toEqual({ price: 46541.25 })
    expect(readPrice('46541', 46541)).toEqual({ error: '和現在的價格相同' })
    for (const bad of ['', '0', '-1', '1.00001', '10000000', '1e3', '4,6541', '.5'])
      expect(readPrice(bad, null)).toHaveProperty('error')
  })
})

test('the step of a price is that of the tables in force, of the product and of the price', () => {
  const now = tables()
  const products = now.products.map((one) => (one.code === 'TMF' ? { ...one, tick: 5 } : one))
  const ticks = [{ from: '2026-01-01', stock: [[null, 0.25]], etf: [] }] as const
  const stock = record({ asset: 'stock', symbol: '2330', price: 99.5 })
  const steps = (table: typeof now) => [tickOf(record(), table), tickOf(stock, table)]
  expect([steps(now), steps({ ...now, products, ticks })].flat()).toEqual(['1', '0.1', '5', '0.25'])
})

describe('webhook settings', () => {
  it('nothing said is no mapping; one that was said comes back as it was', () => {
    expect(mappingOf(formOf(null))).toBeNull()
    const mapping = {
      fields: { symbol: 'a.b', action: { const: 'buy' } },
      words: { 做多: 'long_entry' as const },
      units: { '': 'lot' as const, 手: 'board_lot' as const },
      ignore: ['mood'],
      id_is_unique: true,
      strict: false,
      sequence: 'n',
    }
    expect(mappingOf(formOf(mapping))).toEqual(mapping)
  })
  it('a message fills what is empty or no part of it, and leaves what stands; unknown words wait', () => {
    const leaf = (path: string) => ({ path, value: 'x', as: null, field: null, ignorable: true })
    const none = { outcome: 'rejected' as const, reason_code: null, reason: null, field: null, normal: null }
    const learned = {
      body: '',
      format: 'auto' as const,
      mapping: {
        fields: { symbol: 's', action: 'a', quantity: 'q' },
        words: {},
        units: {},
        ignore: [],
        id_is_unique: false,
        strict: false,
      },
      proposals: [],
      words: [
        { word: '看多', action: null },
        { word: '看空', action: null },
      ],
      units: [],
      leaves: [leaf('s'), leaf('a'), leaf('q'), leaf('act')],
      preview: { ...none, flags: [], reading: [] },
    }
    const fields = { symbol: { const: 'MXF1!' }, action: 'act', quantity: 'elsewhere' }
    const words = { 看多: 'long_entry' as const }
    const form = formOf({ ...learned.mapping, fields, words, ignore: ['gone'] }, learned)
    expect(mappingOf(form)).toMatchObject({
      fields: { symbol: { const: 'MXF1!' }, action: 'act', quantity: 'q' },
      words,
      ignore: [],
    })
    expect(form.words).toEqual({ 看多: 'long_entry', 看空: '' })
  })
  it('one part is one thing: what was it before is left to the reader', () => {
    const form = said(said(formOf(null), 'a', 'quantity'), 'b', 'quantity')
    expect(mappingOf(form)?.fields).toEqual({ quantity: 'b' })
    expect(mappingOf(said(said(form, 'a', 'ignored'), 'b', 'ignored'))?.ignore).toEqual(['a', 'b'])
  })
  it('a format in a line; what a message would be', () => {
    const fields = (...roles: Role[]) => roles.map((role, i) => ({ path: String(i), role, value: null }))
    expect(
      fieldsText(fields('ignored', 'quantity', 'symbol', 'side', 'ignored', 'contracts'), 'futures'),
    ).toBe('方向、商品、口數，2 個欄位不看')
    const reading = {
      ...{ action: 'long_entry' as const, symbol: 'MXF', contract: 'C1', quantity: 2, unit: 'lot' as const },
      ...{ price: 46_500, target_position: null, position_after: 2 },
    }
    expect(readingText(reading)).toBe('多單進場 小台 近月 2 口 46,500')
    expect(readingText({ ...reading, action: 'target', target_position: -1, price: null })).toBe(
      '目標部位 小台 近月 空 1 口',
    )
    expect(readingText({ ...reading, action: 'exit', quantity: null })).toContain('全部')
  })
  test.each([
    [
      'an object by its paths',
      '{"bot":{"tkr":"MXF1!"},"orders":[{"qty":2},{"qty":3}],"px": 46500}',
      [
        ['bot.tkr', 'MXF1!', '商品'],
        ['orders.1.qty', '3', '口數'],
        ['px', '46500', null],
      ],
      '{"bot":{"tkr":"⟦MXF1! 商品⟧"},"orders":[{"qty":2},{"qty":⟦3 口數⟧}],"px": 46500}',
    ],
    [
      'a line in the order of its places',
      '小台 多單進場 2口 46500',
      [
        ['#1', '小台', '商品'],
        ['#2', '多單進場', '動作'],
        ['#3', '2', '口數'],
        ['#4', '46500', '價格'],
      ],
      '⟦小台 商品⟧ ⟦多單進場 動作⟧ ⟦2 口數⟧口 ⟦46500 價格⟧',
    ],
    [
      'no part of a longer figure, and full-width signs',
      'n12 台指２口 2',
      [
        ['#1', '2', '口數'],
        ['#2', '2', '編號'],
      ],
      'n12 台指⟦２ 口數⟧口 ⟦2 編號⟧',
    ],
    [
      'an object inside a text',
      '{"message":"{\\"action\\":\\"buy\\",\\"qty\\":2}"}',
      [
        ['message.action', 'buy', '動作'],
        ['message.qty', '2', '口數'],
      ],
      '{"message":"{\\"action\\":\\"⟦buy 動作⟧\\",\\"qty\\":⟦2 口數⟧}"}',
    ],
    ['an object as people write it', "{'a':'buy', b:2}", [['a', 'buy', '動作']], "{'a':'⟦buy 動作⟧', b:2}"],
  ] as [string, string, [string, string, string | null][], string][])(
    'marks the values: %s',
    (_, body, values, shown) => {
      const parts = marked(
        body,
        values.map(([path, value, as]) => ({ path, value, as })),
      )
      const text = parts.map((part) =>
        typeof part === 'string' ? part : `⟦${part.text}${'as' in part ? ` ${part.as}` : ''}⟧`,
      )
      expect(text.join('')).toBe(shown)
      expect(marked('{"a":"x"}', [], 'a')).toContainEqual({ text: 'x', kind: 'mark' })
    },
  )
  // domain §7.4: copied as curl
  it('writes a request as a command that the shell takes literally', () => {
    expect(curlOf({ body: "{'a':'$(rm)'}", content_type: 'text/plain' }, 'https://h/hooks/t')).toBe(
      `curl -X POST 'https://h/hooks/t' -H 'Content-Type: text/plain' --data-binary '{'\\''a'\\'':'\\''$(rm)'\\''}'`,
    )
  })
  // domain §7.4: masked address
  it('a masked address does not hold the token; refusals say which', () => {
    expect(maskedUrl('https://h/hooks/abcdEFGHIJKLMNOPQRSTUVWXYZ123456')).toBe('https://h/hooks/abcd…3456')
    expect(verdictOf({ outcome: 'rejected', reason_code: 'bad_secret' }).text).toBe('密語不符')
    expect(verdictOf({ outcome: 'rejected', reason_code: 'bad_time' }).text).toBe('時間不對')
    expect(verdictOf({ outcome: 'rejected', reason_code: 'unreadable' }).text).toBe('無法解析')
    expect(verdictOf({ outcome: 'rejected', reason_code: 'symbol_mismatch' }).text).toBe('商品不符')
    expect(verdictOf({ outcome: 'ignored', reason_code: 'not_a_trade' })).toMatchObject({
      text: '不是委託',
      tone: 'neutral',
    })
  })
})
