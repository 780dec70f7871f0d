// npm run verify: an export that was tampered with is refused by name, whichever way; a whole one passes, without any server.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportSignals, voidSignal } from '#contract/signal.ts'
import { checkExport } from '#server/signal/proof.ts'
import { openDesk } from '#tests/support/desk.ts'
import { send } from '#tests/support/people.ts'
import { trade } from '#tests/support/record.ts'

interface Row {
  chain_seq: number
  prev_hash: string
  hash: string
  facts: Record<string, unknown>
}
interface File {
  head: { chain_seq: number; hash: string; at: string } | null
  anchor: string
  records: Row[]
  day_heads: { day: string; chain_seq: number; hash: string }[]
}

describe('verify', () => {
  let whole = ''
  const folder = mkdtempSync(join(tmpdir(), 'lingbo-verify-'))
  beforeAll(async () => {
    const desk = await openDesk()
    const strategy = await desk.make({ allow_pyramiding: true, max_position: 99 })
    const own = await trade(
      desk,
      strategy,
      Array.from({ length: 5 }, (_, i) => ({ action: 'buy', price: 23_000 + i, note: '備註' })),
    )
    await desk.person.call(voidSignal, { id: own[1]?.id as string, reason: '誤發' })
    const headers = { authorization: `Bearer ${desk.person.token}` }
    const answer = await send(desk.server, exportSignals, { id: strategy.id, format: 'json' }, headers)
    whole = await answer.text()
    await desk.server.close()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function tampered(change: (file: File) => void): string {
    const file = JSON.parse(whole) as File
    change(file)
    return JSON.stringify(file)
  }
  const at = (file: File, i: number) => file.records[i] as Row
  /** What somebody does who knows how the chain is made. */
  function rehash(file: File, from: number): void {
    for (let i = from; i < file.records.length; i++) {
      const row = at(file, i)
      row.prev_hash = i === 0 ? '0'.repeat(64) : at(file, i - 1).hash
      const keys = Object.keys(row.facts).sort()
      const text = JSON.stringify(Object.fromEntries(keys.map((key) => [key, row.facts[key]])))
      row.hash = createHash('sha256').update(`${row.prev_hash}\n${text}`).digest('hex')
    }
  }

  const ATTACKS: [string, (file: File) => void, string][] = [
    ['a changed price', (file) => (at(file, 2).facts['price'] = 1), '第 3 筆不符：內容與雜湊不同'],
    ['a changed reason', (file) => (at(file, 5).facts['reason'] = '別的'), '第 6 筆不符：內容與雜湊不同'],
    ['a price made a text', (file) => (at(file, 0).facts['price'] = '23000'), '第 1 筆不符：內容與雜湊不同'],
    ['one fact more', (file) => (at(file, 1).facts['extra'] = 1), '第 2 筆不符：內容的欄位'],
    ['one fact less', (file) => delete at(file, 1).facts['note'], '第 2 筆不符：內容的欄位'],
    ['a removed record', (file) => file.records.splice(3, 1), '第 4 筆不符：這個位置上是第 5 筆'],
    ['a removed first record', (file) => file.records.splice(0, 1), '第 1 筆不符：這個位置上是第 2 筆'],
    ['a removed last record', (file) => file.records.pop(), '第 6 筆不符：紀錄到此為止'],
    ['everything removed', (file) => file.records.splice(0), '第 1 筆不符：紀錄到此為止'],
    [
      'two swapped records',
      (file) => file.records.splice(1, 2, at(file, 2), at(file, 1)),
      '第 2 筆不符：這個位置上是第 3 筆',
    ],
    ['a record twice', (file) => file.records.splice(2, 0, at(file, 1)), '第 3 筆不符：這個位置上是第 2 筆'],
    ['a changed hash', (file) => (at(file, 2).hash = 'a'.repeat(64)), '第 3 筆不符：內容與雜湊不同'],
    ['a changed link', (file) => (at(file, 2).prev_hash = 'a'.repeat(64)), '第 3 筆不符：記載的前一筆雜湊'],
    ['swapped numbers', (file) => (at(file, 2).facts['chain_seq'] = 4), '第 3 筆不符：內容自稱是別的序號'],
    [
      'one record hashed anew',
      (file) => {
        const after = file.records.splice(3)
        at(file, 2).facts['price'] = 1
        rehash(file, 2)
        file.records.push(...after)
      },
      '第 4 筆不符：記載的前一筆雜湊',
    ],
    [
      'all from one record on hashed anew',
      (file) => {
        at(file, 2).facts['price'] = 1
        rehash(file, 2)
      },
      '第 6 筆不符：與檔案記載的最後一筆不同',
    ],
    [
      'another strategy’s chain',
      (file) => {
        for (const { facts } of file.records) facts['strategy_id'] = '01890000-0000-7000-8000-000000000000'
        rehash(file, 0)
      },
      '第 1 筆不符：內容屬於別的策略',
    ],
    [
      'a changed head of a day',
      (file) => (file.day_heads[0] = { ...file.day_heads[0], chain_seq: 2 } as File['day_heads'][0]),
      '第 2 筆不符：與 ',
    ],
    ['a head made away with', (file) => (file.head = null), '第 6 筆不符：與檔案記載的最後一筆不同'],
  ]

  test.each(ATTACKS)('%s is found and named', (_what, change, told) => {
    const { ok, lines } = checkExport(tampered(change))
    expect([ok, lines[0]?.startsWith(told), lines[0]]).toEqual([false, true, lines[0]])
  })

  test('a whole chain written anew fits in itself; a hash noted earlier convicts it', () => {
    const { hash } = at(JSON.parse(whole) as File, 4)
    expect(checkExport(whole, hash).lines.at(-1)).toBe('先前記下的雜湊是第 5 筆，仍在原處。')
    const forged = tampered((file) => {
      at(file, 2).facts['price'] = 1
      rehash(file, 0)
      const { chain_seq, hash: last } = at(file, 5)
      file.head = { chain_seq, hash: last, at: file.head?.at as string }
      file.day_heads = file.day_heads.map((day) => ({ ...day, hash: last }))
    })
    expect(checkExport(forged).ok).toBe(true)
    expect(checkExport(forged, hash)).toMatchObject({ ok: false })
  })

  test('a record without content is no proof of it: the verdict counts it apart and does not say whole', () => {
    const text = tampered((file) => Object.assign(at(file, 5), { facts: null }))
    const { ok, lines } = checkExport(text)
    expect([ok, lines[0]]).toEqual([
      true,
      expect.stringMatching(/^雜湊相連：.*共 6 筆，.*其中 1 筆沒有內容，沒有驗證。$/),
    ])
    expect(lines[1]).toMatch(/^有內容的 5 筆與雜湊相符。第 6 筆只有雜湊.*證明不了。$/)
    expect(lines.join('')).not.toContain('完整')
    // Its place in the chain is proved all the same.
    const cut = tampered((file) => Object.assign(at(file, 2), { facts: null, hash: 'a'.repeat(64) }))
    expect(checkExport(cut)).toMatchObject({ ok: false, lines: [expect.stringMatching(/^第 4 筆不符/)] })
    // Left out is not the same as told to be hidden.
    const gone = tampered((file) => delete (at(file, 2) as Partial<Row>).facts)
    expect(checkExport(gone).ok).toBe(false)
  })

  test('what is no export is refused, and nothing throws', () => {
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{}',
      whole.slice(0, -9),
      '﻿"x"',
      '{"format":"lingbo-record/1"}',
    ])
      expect(checkExport(text).ok).toBe(false)
  })

  test('the command: exit 0 with head and count, exit 1 with the record’s name', () => {
    const run = (text: string | null, ...more: string[]) => {
      const file = join(folder, 'export.json')
      if (text !== null) writeFileSync(file, text)
      const root = resolve(import.meta.dirname, '../..')
      const script = [join(root, 'server/cli/verify.ts'), ...(text === null ? [] : [file]), ...more]
      const { status, stdout, stderr } = spawnSync(process.execPath, script, {
        cwd: folder,
        encoding: 'utf8',
      })
      return { status, said: stdout + stderr }
    }
    const { head } = JSON.parse(whole) as File
    const good = run(whole)
    expect(good.status).toBe(0)
    expect(good.said).toContain('共 6 筆')
    expect(good.said).toContain(`最後一筆：第 6 筆 ${head?.hash}`)
    const bad = run(tampered((file) => (at(file, 2).facts['price'] = 1)))
    expect([bad.status, bad.said.trim()]).toEqual([1, '第 3 筆不符：內容與雜湊不同，內容被更動過'])
    expect(run(whole, 'f'.repeat(64)).status).toBe(1)
    expect(run(null).status).toBe(1)
    const nowhere = join(folder, 'nowhere.json')
    expect(run(null, nowhere)).toEqual({ status: 1, said: `找不到檔案 ${nowhere}\n` })
  })
})
