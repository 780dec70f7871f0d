// Confirmed formats: what was seen by a person is read as it was seen, everything else is held (docs/decisions/reader.md).
import { describe, expect, test } from 'vitest'
import { fold } from '#trading/fold.ts'
import { BUILT_IN } from '#trading/reader/builtin.ts'
import { compileFormats, proposeFormat, readMessage } from '#trading/reader/read.ts'
import { alternativesOf, type CorpusCase, corpus, inputFor, judge, summary } from './corpus.ts'
import { deskFor } from './formats.ts'
import { mutations } from './mutations.ts'
import { MXF, RECEIVED, STOCK } from './payload.ts'
import { futuresTerms, record } from './records.ts'

const input = (body: string | object, strategy = MXF) => ({
  body: typeof body === 'string' ? body : JSON.stringify(body),
  format: 'auto' as const,
  mapping: null,
  unparsed_rule: null,
  received_at: RECEIVED,
  strategy,
})
const NONE = compileFormats([])

describe('built-in formats', () => {
  test.each(
    BUILT_IN.flatMap(({ id, examples }) => examples.map((one) => [`${id}: ${one.body}`, id, one] as const)),
  )('%s', (_, id, { body, action, target }) => {
    const stock = /2330/.test(body)
    const strategy = stock
      ? { ...STOCK, kind: 'xq-stock' as const, default_action: 'entry' as const }
      : /TXF/.test(body)
        ? { ...MXF, product_code: 'TXF' }
        : MXF
    const formats = compileFormats([], id === 'multicharts')
    const read = readMessage(input(body, strategy), formats)
    expect(read.kind === 'signal' ? { ...read.signal, format_id: read.format_id } : read).toMatchObject({
      action,
      format_id: `builtin:${id}`,
      ...(target !== undefined && { target_position: target }),
    })
  })
})

describe('held, with no proposal that opens the other side', () => {
  test.each([
    '{"symbol":"MXF1!","side":"sell","quantity":1,"price":46500,"execInst":"ReduceOnly"}',
    '{"symbol":"MXF1!","side":"sell","quantity":1,"price":46500,"exit_reason":"stop_loss"}',
    '取消EXCHANGE=TAIFEX;SYMBOL=MXF1!;SIGNAL=BUY',
    '{"symbol":"MXF1!","action":"","side":"short","quantity":1,"price":46500}',
    '{"symbol":"MXF1!","action":"buy","qty":1,"price":46500,"accounts":[{"side":"sell","qty":2}]}',
    '{"symbol":"MXF1!","side":"sell","quantity":1,"price":46500,"netpos":0}',
    'e=TAIFEX s=MXF1! b=buy q=1 d=1',
  ])('%s', (body) => {
    const read = readMessage(input(body), NONE)
    expect(['held', 'rejected']).toContain(read.kind)
    if (read.kind === 'held')
      expect(
        read.proposal.format === null || read.proposal.outcome === null
          ? 'none'
          : summary(read.proposal.outcome),
      ).toMatch(/none|exit|close_all/)
  })

  test('flat is flat, whatever size stands beside it', () => {
    const read = readMessage(input({ ticker: 'MXF1!', action: 'sell', sentiment: 'flat', quantity: 1 }), NONE)
    expect(read.kind === 'signal' && read.signal).toMatchObject({ action: 'long_exit', quantity: null })
  })

  test('odd lots beside a bare size of stock are asked', () => {
    const read = readMessage(
      input(
        { symbol: '2330', action: 'buy', quantity: 50, price: 1085, session: '零股' },
        { ...STOCK, max_position: 100 },
      ),
      NONE,
    )
    expect(read.kind).toBe('held')
  })

  test('whether contracts are the order or the position is asked, and both ways are read', () => {
    const body = { symbol: 'MXF1!', action: 'short', contracts: 4, price: 46500 }
    const read = readMessage(input(body), NONE)
    expect(read.kind === 'held' && read.proposal.questions).toMatchObject([
      {
        id: 'contracts_mean',
        options: [
          { value: 'order', outcome: { signal: { action: 'sell', quantity: 4 } } },
          { value: 'position', outcome: { signal: { action: 'target', target_position: -4 } } },
        ],
      },
    ])
  })
})

describe('inputs of its kind that were misread or refused', () => {
  const proposed = (body: string | object) => {
    const read = readMessage(input(body), NONE)
    if (read.kind === 'signal') return read.signal
    if (read.kind !== 'held' || read.proposal.format === null || read.proposal.outcome?.kind !== 'signal')
      throw new Error(JSON.stringify(read))
    return read.proposal.outcome.signal
  }

  test.each([
    { message: '訂單sell @ 1已成交MXF1!。新策略倉位是-1' },
    {
      message: '快訊： 策略甲 (加倉條件) (15, 20, 1.3, EMA, close)：訂單sell @ 1已成交MXF1!。新策略倉位是-1',
    },
    { text: '訂單sell @ 1已成交MXF1!。新策略倉位是-1', username: 'tv' },
  ])('a line inside an object: %j', (body) => {
    expect(proposed(body)).toMatchObject({ action: 'target', target_position: -1, reported_prev: 0 })
  })

  test.each([
    { symbol: 'MXF1!', action: 'sell', quantity: 2, price: 45000, stop_price: 45100.8 },
    { symbol: 'MXF1!', action: 'buy', quantity: 2, price: 45000, stopPrice: 44900 },
  ])('a stop beside an order is asked, never ignored: %j', (body) => {
    expect(proposed(body)).toMatchObject({ action: body.action, quantity: 2, price: 45000 })
  })

  test.each([
    [
      {
        apikey: 'k',
        strategy: 'S',
        exchange: 'TAIFEX',
        symbol: 'MXF1!',
        action: 'BUY',
        product: 'MIS',
        pricetype: 'MARKET',
        quantity: '2',
        price: '0',
        trigger_price: '0',
        disclosed_quantity: '0',
      },
      { action: 'buy', quantity: 2 },
    ],
    [
      {
        symbol: 'MXF1!',
        type: 'Market',
        side: 'Buy',
        qty: '10',
        price: '22801',
        close_position: 'False',
        cancel_orders: 'False',
        order_mode: 'Both',
        take_profit_percent: '0.5',
      },
      { action: 'buy', quantity: 10 },
    ],
    [
      {
        data: { action: 'sell', contracts: '6', position_size: '-12' },
        price: '22800',
        signal_param: '{}',
        signal_type: '725b414d-016d-4dc5-b37f-fafb06e7d694',
        symbol: 'MXF1!',
        time: '2026-11-20T01:15:02Z',
      },
      { action: 'target', target_position: -12, reported_prev: -6 },
    ],
    ['小台 多單進場 2口 46500', { action: 'long_entry', quantity: 2, price: 46500 }],
    ['小台 買進 1口 45600', { action: 'buy', quantity: 1, price: 45600 }],
    ['【策略訊號】\n小台 多單進場 2口 46500', { action: 'long_entry', quantity: 2, price: 46500 }],
    ['MXF1!,Buy,1,23000', { action: 'buy', quantity: 1, price: 23000 }],
    ['小台近月 多單進場 2口 46,500', { action: 'long_entry', quantity: 2, price: 46500 }],
    ['小台：空單出場，2口，46500', { action: 'short_exit', quantity: 2, price: 46500 }],
    ['買進小台2口 46500', { action: 'buy', quantity: 2, price: 46500 }],
    ['【策略A】小台 做多 3口 市價', { action: 'long_entry', quantity: 3, price: null }],
    ['MXF1!|sell|1|46500', { action: 'sell', quantity: 1, price: 46500 }],
  ])('%j', (body, wanted) => {
    expect(proposed(body)).toMatchObject(wanted)
  })

  test('where the source stood before follows from the order and the position afterwards', () => {
    const read = readMessage(input('策略A (10, 3)：訂單sell @ 2已成交MXF1!。新策略倉位是3'), NONE)
    expect(read.kind === 'signal' && read.signal).toMatchObject({ target_position: 3, reported_prev: 5 })
  })
})

describe('the position that a source had before', () => {
  const folded = (bodies: readonly (object | string)[]) => {
    const facts = bodies.map((body, i) => {
      const read = readMessage(input(body, { ...MXF, max_position: 100 }), NONE)
      if (read.kind !== 'signal') throw new Error(JSON.stringify(read))
      const { action, quantity, price, occurred_at, target_position, reported_prev } = read.signal
      return record(i + 1, action, quantity, price, { occurred_at, target_position, reported_prev })
    })
    const { derived } = fold(facts, futuresTerms('MXF', {}, { max_position: 100 }))
    return facts.map(({ id }) => {
      const { position_before, position_after, flags } = derived.get(id) as {
        position_before: number
        position_after: number
        flags: string[]
      }
      return `${position_before}→${position_after} ${flags.filter((flag) => flag === 'position_gap').join()}`.trim()
    })
  }
  const order = (action: string, contracts: number, position_size: number, time: string) => ({
    ...{ ticker: 'MXF1!', action, contracts: String(contracts), position_size: String(position_size) },
    ...{ price: '45000', time: `2026-11-20T01:${time}Z` },
  })

  test('puts two partial exits of one second in their order', () => {
    const bodies = [order('buy', 5, 5, '05:00'), order('sell', 3, 0, '10:00'), order('sell', 2, 3, '10:00')]
    expect(folded(bodies)).toEqual(['0→5', '3→0', '5→3'])
  })

  test('tells that an alert was missed', () => {
    const said = (to: number) => `策略A (10, 3)：訂單buy @ 1已成交MXF1!。新策略倉位是${to}`
    expect(folded([said(1), said(3)])).toEqual(['0→1', '1→3 position_gap'])
  })

  test('tells that a strategy was running before', () => {
    expect(folded(['策略A (10, 3)：訂單sell @ 2已成交MXF1!。新策略倉位是3'])).toEqual(['0→3 position_gap'])
  })

  test('a sell that raises a long position is held', () => {
    const read = readMessage(
      input({ ...order('sell', 2, 3, '10:00'), prev_market_position: 'long', prev_market_position_size: 1 }),
      NONE,
    )
    expect(read.kind).toBe('held')
  })
})

/** Whose messages they are: a folder of fixtures, one strategy and preset. */
function groups(): CorpusCase[][] {
  const found = new Map<string, CorpusCase[]>()
  for (const entry of corpus()) {
    const key = `${entry.source} ${JSON.stringify(entry.strategy)} ${entry.format ?? ''} ${senderOf(entry.body)}`
    found.set(key, [...(found.get(key) ?? []), entry])
  }
  return [...found.values()]
}

/** Bodies with the same names are one sender's, where a folder holds many senders. */
function senderOf(body: string): string {
  return body.startsWith('{')
    ? [...body.matchAll(/"([\w.]+)"\s*:/g)]
        .map(([, name]) => name)
        .sort()
        .join()
    : body.replace(/[\d.]+/g, '0').slice(0, 8)
}

test('of every sender: what is confirmed once is read right or held, nothing is misread', () => {
  const misread: string[] = []
  let [ordinary, read, asked, senders] = [0, 0, 0, 0]
  for (const group of groups()) {
    const desk = deskFor(group[0] as CorpusCase)
    for (const entry of group) {
      const from = inputFor(entry)
      let out = desk.read(from)
      if (out.kind === 'held' && desk.confirm(entry, from)) out = desk.read(from)
      if (out.kind === 'signal' && judge(entry, out) === 'misread')
        misread.push(`${entry.path}: ${entry.body}\n  ${summary(out)}`)
      if (!entry.ordinary) continue
      ordinary += 1
      if (out.kind === 'signal') read += 1
    }
    if (desk.asked > 0) senders += 1
    asked += desk.asked
  }
  expect(misread).toEqual([])
  expect(read / ordinary).toBeGreaterThan(0.93)
  expect(asked / senders).toBeLessThan(3)
})

test('negative control: the generic reader by itself takes what was never confirmed', () => {
  const open = [...mutations(2_000, 7)].filter(({ base }) => alternativesOf(base.entry.expect).length > 0)
  const held = open.filter(({ base, body }) => readMessage(inputFor(base.entry, body), NONE).kind === 'held')
  expect(held.length).toBeGreaterThan(500)
})

test('a proposal never throws, and names each part once', () => {
  for (const entry of corpus()) {
    const { fields } = proposeFormat({ ...inputFor(entry), answers: {} })
    const paths = fields.map(({ path }) => path).filter((path) => path !== '')
    expect(new Set(paths).size).toBe(paths.length)
  }
})
