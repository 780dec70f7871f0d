// Any file of XQ that is brought twice adds nothing the second time, neither as it was nor written in another way (domain §8.3).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importOriginalData, listOriginalData, type OriginalBatch } from '#contract/original-data.ts'
import { createStrategy, getStrategy, type StrategyInput } from '#contract/strategy.ts'
import { big5 } from '#tests/support/big5.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { fc } from '#tests/support/property.ts'
import { sized } from '#tests/support/tier.ts'

interface Row {
  symbol: string
  sells: boolean
  price: string
  quantity: number
  day: number
  second: number
  /** Another cell than it should be: nobody can read the row. */
  broken: 'action' | 'price' | 'time' | null
}
/** How the same rows are written. */
interface Writing {
  layout: 'one clock' | 'day and clock' | 'lines'
  delimiter: ',' | '\t' | ';'
  end: '\n' | '\r\n' | '\r'
  encoding: 'utf-8' | 'utf-8 with its mark' | 'big5'
  symbol: 'plain' | 'suffix' | 'formula' | 'wide' | 'named'
  words: 'Chinese' | 'English'
  turned: boolean
  last_line_ends: boolean
}

const NAMES: Record<string, string> = {
  '2330': '台積電',
  '0050': '元大台灣50',
  '2317': '鴻海',
  '00878': '國泰永續',
}
// Few of each, so that twins are among them.
const row: fc.Arbitrary<Row> = fc.record({
  symbol: fc.constantFrom(...Object.keys(NAMES)),
  sells: fc.boolean(),
  price: fc.constantFrom('100.5', '1085'),
  quantity: fc.integer({ min: 1, max: 3 }),
  day: fc.integer({ min: 2, max: 3 }),
  second: fc.integer({ min: 0, max: 1 }),
  broken: fc.option(fc.constantFrom('action', 'price', 'time'), { freq: 8 }),
})
const writing: fc.Arbitrary<Writing> = fc.record({
  layout: fc.constantFrom('one clock', 'day and clock', 'lines'),
  delimiter: fc.constantFrom(',', '\t', ';'),
  end: fc.constantFrom('\n', '\r\n', '\r'),
  encoding: fc.constantFrom('utf-8', 'utf-8 with its mark', 'big5'),
  symbol: fc.constantFrom('plain', 'suffix', 'formula', 'wide', 'named'),
  words: fc.constantFrom('Chinese', 'English'),
  turned: fc.boolean(),
  last_line_ends: fc.boolean(),
})

function symbolOf(symbol: string, how: Writing['symbol']): string {
  if (how === 'suffix') return `${symbol}.TW`
  if (how === 'formula') return `="${symbol}"`
  if (how === 'wide')
    return symbol.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
  return how === 'named' ? `${symbol} ${NAMES[symbol]}` : symbol
}

function fileOf(rows: readonly Row[], how: Writing): Uint8Array {
  const { layout, delimiter, end } = how
  const lines = rows.map(({ symbol, sells, price, quantity, day, second, broken }) => {
    const words = how.words === 'Chinese' ? ['買進', '賣出'] : ['buy', 'sell']
    const action = broken === 'action' ? '持有' : (words[sells ? 1 : 0] as string)
    const said = broken === 'price' ? 'x12' : price
    const date = `2026/11/0${day}`
    const time = broken === 'time' ? '25:61:00' : `09:30:0${second}`
    // Lines as scripts print them: the same cells, no header, blanks between what is parted.
    if (layout === 'lines') return [symbol, action, said, quantity, `${date} ${time}`].join(',')
    const cells = [symbolOf(symbol, how.symbol), NAMES[symbol], action, said, quantity]
    return [...cells, ...(layout === 'one clock' ? [`${date} ${time}`] : [date, time])].join(delimiter)
  })
  const head = [
    '代碼',
    '商品',
    '動作',
    '價格',
    '張數',
    ...(layout === 'one clock' ? ['時間'] : ['日期', '時間']),
  ]
  const all = [
    ...(layout === 'lines' ? [] : [head.join(delimiter)]),
    ...(how.turned ? lines.toReversed() : lines),
  ]
  const text = all.join(end) + (how.last_line_ends ? end : '')
  if (how.encoding === 'big5') return big5(text)
  return new TextEncoder().encode(`${how.encoding === 'utf-8' ? '' : '\ufeff'}${text}`)
}

describeEngines('any file, brought twice', (engine) => {
  let desk: Desk
  let count = 0
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  test('adds nothing the second time', async () => {
    const bring = async (id: string, file: Uint8Array, dry_run = false) => {
      const answer = await desk.person.call(importOriginalData, {
        ...{ id, file: file as Uint8Array<ArrayBuffer>, name: '訊號.csv' },
        dry_run: String(dry_run),
      })
      await desk.server.app.jobs.settled('import')
      await desk.server.app.jobs.settled('refold')
      return answer
    }
    let twins = 0
    const once = async (rows: readonly Row[], first: Writing, second: Writing) => {
      const { id } = await desk.person.call(createStrategy, {
        ...{ kind: 'xq-stock', name: `XQ ${++count}` },
        settings: { xq_script_name: '突破' },
      } as StrategyInput)
      const read = rows.filter(({ broken }) => broken === null)
      const keys = new Set(
        read.map(({ symbol, sells, price, day, second: s }) => `${symbol} ${sells} ${price} ${day} ${s}`),
      )
      twins += read.length - keys.size
      const counts = (taken: number) => ({
        taken,
        duplicate: read.length - taken,
        refused_count: rows.length - read.length,
      })
      expect(await bring(id, fileOf(rows, first), true)).toMatchObject(counts(keys.size))
      expect(await bring(id, fileOf(rows, first))).toMatchObject(counts(keys.size))
      const { chain_head, signal_count } = await desk.person.call(getStrategy, { id })
      expect(signal_count).toBe(keys.size)
      for (const again of [first, second]) {
        expect(await bring(id, fileOf(rows, again))).toMatchObject(counts(0))
        expect(await desk.person.call(getStrategy, { id })).toMatchObject({ chain_head, signal_count })
      }
      const { batches } = await desk.person.call(listOriginalData, { id })
      expect(
        (batches as OriginalBatch[]).map(({ counts: { imported, duplicate } }) => [imported, duplicate]),
      ).toEqual([
        [0, read.length],
        [0, read.length],
        [keys.size, read.length - keys.size],
      ])
    }
    // Some of them once more. A file whose first or last line is broken may be no file at all: of one that is cut nothing is taken.
    const drawn = fc.tuple(
      fc.array(row, { minLength: 3, maxLength: 24, size: 'max' }),
      fc.array(fc.nat({ max: 23 }), { minLength: 1, maxLength: 4 }),
    )
    const rows = drawn.map(([some, again]) => {
      const all = [...some, ...again.map((i) => some[i % some.length] as Row)]
      const plain = (one: Row): Row => ({ ...one, broken: null })
      return all.map((one, i) => (i === 0 || i === all.length - 1 ? plain(one) : one))
    })
    await fc.assert(fc.asyncProperty(rows, writing, writing, once), { numRuns: sized(12, 120) })
    expect(twins).toBeGreaterThan(0)
  })
})
