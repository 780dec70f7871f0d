// The record as a file: CSV that a spreadsheet reads and never runs, JSON that proves itself.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { correctSignal, exportSignals, voidSignal } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { csvLineOf as lineOf } from '#server/csv-line.ts'
import { checkExport } from '#server/signal/proof.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { send } from '#tests/support/people.ts'
import { fc } from '#tests/support/property.ts'
import { recordsOf, trade } from '#tests/support/record.ts'

/** RFC 4180, as strict as the text is. */
function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const [all, quoted, plain, end] = cell.exec(text) ?? []
    if (all === undefined) throw new Error(`no CSV at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`)
    row.push(quoted?.replaceAll('""', '"') ?? (plain as string))
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

describeEngines('export', (engine) => {
  let desk: Desk
  let strategy: Strategy
  beforeAll(async () => {
    desk = await openDesk({ engine })
    strategy = await desk.make({ name: '台指/當沖 "A"; =x', allow_pyramiding: true, max_position: 99 })
    const own = await trade(desk, strategy, [
      { action: 'long_entry', price: 23_000, note: '=HYPERLINK("http://x","按我")' },
      { action: 'long_exit', price: 22_900.5, note: '含,逗號與"引號"' },
      { action: 'buy', price: null, note: '-2+3' },
      { action: 'buy', price: 23_000, note: '＝1+1' },
    ])
    await desk.person.call(correctSignal, { id: own[2]?.id as string, price: 23_010, note: '@補' })
    await desk.person.call(voidSignal, { id: own[3]?.id as string, reason: '+誤發' })
  })
  afterAll(() => desk.server.close())

  const get = async (format: 'csv' | 'json', person = desk.person) => {
    const input = { id: strategy.id, format }
    const answer = await send(desk.server, exportSignals, input, { authorization: `Bearer ${person.token}` })
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
  }

  // domain §7.5: CSV with a byte order mark
  test('CSV: a byte order mark, one line per record, numbers bare, no cell that runs', async () => {
    const { answer, bytes } = await get('csv')
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const disposition = answer.headers.get('content-disposition') as string
    expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]+\.csv"; filename\*=UTF-8''/)
    expect(decodeURIComponent(disposition.split("UTF-8''")[1] as string)).toMatch(
      /^lingbo-台指-當沖-A-x-\d{4}-\d\d-\d\d\.csv$/,
    )
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const [head, ...rows] = readCsv(bytes.subarray(3).toString('utf8'))
    const column = (title: string) => rows.map((row) => row[head?.indexOf(title) as number])
    expect(rows).toHaveLength(6)
    expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([head?.length]))
    expect(column('序號')).toEqual(['1', '2', '3', '4', '5', '6'])
    expect(column('來源')).toEqual(['Webhook', 'Webhook', 'Webhook', 'Webhook', '更正', '作廢'])
    expect(column('狀態')).toEqual(['正常', '正常', '已更正', '已作廢', '正常', '正常'])
    expect(column('訊號價')).toEqual(['23000', '22900.5', '', '23000', '23010', ''])
    expect(column('備註')).toEqual([
      `'=HYPERLINK("http://x","按我")`,
      '含,逗號與"引號"',
      "'-2+3",
      "'＝1+1",
      "'@補",
      '',
    ])
    // what a void or correction is about has its own line: no position, effect or quantity is said of it twice
    for (const title of ['動作', '效果', '數量', '數量單位', '部位前', '部位後', '均價'])
      expect(column(title).slice(4), title).toEqual(['', ''])
    expect(column('部位前').slice(0, 4)).toEqual(['0', '1', '0', '1'])
    expect(column('契約')).toEqual(rows.map(() => '近月'))
    expect(column('作廢原因')[5]).toBe("'+誤發")
    // A loss is a number, not a text.
    expect(Number(column('已實現淨損益')[1])).toBeLessThan(-19_000)
    expect(column('雜湊')).toEqual((await recordsOf(desk, strategy.id)).map(({ hash }) => hash))
  })

  test('JSON: proves itself, and carries the facts as they were hashed', async () => {
    const { answer, bytes } = await get('json')
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const file = JSON.parse(bytes.toString('utf8'))
    const records = await recordsOf(desk, strategy.id)
    expect(file).toMatchObject({
      format: 'lingbo-record/1',
      strategy: { id: strategy.id, name: strategy.name, kind: 'futures' },
      head: { chain_seq: 6, hash: records[5]?.hash },
      day_heads: [{ chain_seq: 6, hash: records[5]?.hash }],
    })
    expect(file.records).toHaveLength(6)
    for (const [i, { hash, prev_hash, facts }] of file.records.entries())
      expect({ ...records[i], ...facts, hash, prev_hash }).toEqual(records[i])
    expect(checkExport(bytes.toString('utf8'))).toMatchObject({ ok: true })
  })

  test('an empty strategy gives a file, too; others get the refusal in the envelope', async () => {
    const empty = await desk.make()
    const answer = await send(
      desk.server,
      exportSignals,
      { id: empty.id, format: 'json' },
      { authorization: `Bearer ${desk.person.token}` },
    )
    expect(checkExport(await answer.text())).toMatchObject({ ok: true })
    const { answer: refusal, bytes } = await get('csv', desk.stranger)
    expect([refusal.status, JSON.parse(bytes.toString('utf8')).error.code]).toEqual([404, 4040])
    expect(refusal.headers.has('content-disposition')).toBe(false)
  })

  test('what was altered in the database leaves as it is, and does not pass', async () => {
    const { db } = desk.server.app
    const row = await db
      .selectFrom('signals')
      .select(['id', 'facts'])
      .where('strategy_id', '=', strategy.id)
      .where('chain_seq', '=', 2)
      .executeTakeFirstOrThrow()
    const set = (facts: string) => db.updateTable('signals').set({ facts }).where('id', '=', row.id).execute()
    for (const facts of [row.facts.replace('22900.5', '23900.5'), 'not JSON "at" all', 'null']) {
      await set(facts)
      const { bytes } = await get('json')
      const { ok, lines } = checkExport(bytes.toString('utf8'))
      expect([ok, lines[0]?.slice(0, 7)]).toEqual([false, '第 2 筆不符'])
    }
    await set(row.facts)
  })
})

describe('a line of CSV', () => {
  const NAUGHTY = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\0', '＝', '"', ','), fc.string())
      .map((pair) => pair.join('')),
  )
  test('whatever the texts are, it reads back as them, and none begins with what a spreadsheet runs', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(NAUGHTY, fc.integer(), fc.constant(null)), { minLength: 2 }), (cells) => {
        const line = lineOf(cells)
        const [read, ...more] = readCsv(line)
        expect(more).toEqual([])
        expect(read).toHaveLength(cells.length)
        for (const [i, cell] of cells.entries()) {
          const text = read?.[i] as string
          if (typeof cell !== 'string') expect(text).toBe(cell === null ? '' : String(cell))
          else {
            const guard = /^'(?=[\p{Cc}\p{Cf}]|\p{Z}*[=+\-@＝＋－＠−﹢﹣﹦﹫])/u
            expect(text.replace(guard, '')).toBe(cell.replace(guard, ''))
            expect(text).not.toMatch(/^(?:[\p{Cc}\p{Cf}]|\p{Z}*[=+\-@−﹢])/u)
          }
        }
      }),
    )
  })
})
