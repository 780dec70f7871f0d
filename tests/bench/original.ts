// npm run bench -- original: what bringing 20,000 rows of Big5 costs, and what another strategy's webhook waits beside it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { importOriginalData, listOriginalData } from '#contract/original-data.ts'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { big5 } from '#tests/support/big5.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signUp } from '#tests/support/people.ts'
import { spawnServer } from '#tests/support/server.ts'
import { percentile, report, round, spread } from './figures.ts'
import { Sender } from './wire.ts'

const ROWS = 20_000
/** Files, one after the other: as many webhooks beside them as a p99 needs. */
const FILES = Number(process.env['FILES'] ?? 3)
const EVERY_MS = 12
/** As the screen does. */
const ASK_MS = 700
const HEAD = '代碼,商品,動作,價格,張數,時間'
const line = (n: number) =>
  `2330.TW,台積電,${n % 2 ? '賣出' : '買進'},${1_000 + (n % 500)},1,2026/${String(1 + (n % 9)).padStart(2, '0')}/${String(2 + ((n >> 1) % 20)).padStart(2, '0')} 09:${String(n % 60).padStart(2, '0')}:${String((n >> 3) % 60).padStart(2, '0')}`

/** Prints the seconds of a preview, an import and the folding after it, and the webhook's p50 and p99 alone and beside all of it. */
export async function original(): Promise<void> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-original-'))
  const server = await spawnServer({ data_dir })
  try {
    const person = await signUp(server)
    const make = (name: string) =>
      person.call(createStrategy, {
        ...{ kind: 'xq-stock', name },
        settings: { xq_script_name: '突破', dedupe_per_day: false },
      } as StrategyInput)
    const file = big5([HEAD, ...Array.from({ length: ROWS }, (_, n) => line(n))].join('\r\n'))
    const path = new URL(hookPath(await make('現在')), server.url).pathname
    const { port } = new URL(server.url)
    const outside = new Sqlite(join(data_dir, 'lingbo.db'), { readonly: true })
    const owed = outside.prepare("select count(*) from jobs where kind = 'refold'").pluck()
    let sent = 0
    /** A message whenever it is due, whatever became of the one before, until the work is done; gives what each waited. */
    const beside = async (work: Promise<unknown>) => {
      const took: { at: number; ms: number }[] = []
      const free: Sender[] = []
      const under_way: Promise<void>[] = []
      let done = false
      const over = work.finally(() => {
        done = true
      })
      const began = performance.now()
      for (let n = 0; !done; n++) {
        await sleep(Math.max(0, began + n * EVERY_MS - performance.now()))
        const sender = free.pop() ?? new Sender('127.0.0.1', Number(port))
        const body = { symbol: '2330', action: sent++ % 2 ? 'sell' : 'buy', price: 1_000, quantity: 1 }
        const since = performance.now()
        under_way.push(
          sender.post(path, JSON.stringify({ ...body, id: `${sent}` })).then(({ status }) => {
            if (status !== 200) throw new Error(`the webhook answered ${status}`)
            took.push({ at: since, ms: performance.now() - since })
            free.push(sender)
          }),
        )
      }
      await over
      await Promise.all(under_way)
      for (const sender of free) sender.close()
      return took
    }
    const seconds: Record<'preview' | 'import' | 'fold', number[]> = { preview: [], import: [], fold: [] }
    const timed = async (what: keyof typeof seconds, work: () => Promise<unknown>) => {
      const began = performance.now()
      await work()
      seconds[what].push((performance.now() - began) / 1_000)
    }
    const bring = async (n: number) => {
      const { id } = await make(`過去 ${n}`)
      const call = (dry_run: boolean) =>
        person.call(importOriginalData, {
          ...{ id, file: file as Uint8Array<ArrayBuffer>, name: '過去.csv' },
          dry_run: String(dry_run),
        })
      await timed('preview', () => call(true))
      await timed('import', async () => {
        await call(false)
        while ((await person.call(listOriginalData, { id })).batches[0]?.state !== 'done') await sleep(ASK_MS)
      })
      await timed('fold', async () => {
        while (owed.get() !== 0) await sleep(100)
      })
    }
    await beside(sleep(1_000))
    const quiet = (await beside(sleep(800 * EVERY_MS))).map(({ ms }) => ms)
    const loud: number[] = []
    for (let n = 0; n < FILES; n++) loud.push(...(await beside(bring(n))).map(({ ms }) => ms))
    const figures = (took: readonly number[]) => ({
      sent: took.length,
      p50: round(percentile(took, 0.5)),
      p99: round(percentile(took, 0.99)),
      max: round(Math.max(...took)),
    })
    const [alone, with_it] = [figures(quiet), figures(loud)]
    const [preview, taken, fold] = [seconds.preview, seconds.import, seconds.fold].map(spread)
    report(
      'original',
      `${ROWS} rows: tried in ${preview?.median} s, taken in ${taken?.median} s, folded in ${fold?.median} s more; a webhook p50 ${alone.p50} p99 ${alone.p99} max ${alone.max} ms alone (${alone.sent}), p50 ${with_it.p50} p99 ${with_it.p99} max ${with_it.max} ms beside it (${with_it.sent})`,
      { seconds: { preview, import: taken, fold }, alone, beside: with_it },
    )
  } finally {
    await server.stop()
    rmSync(data_dir, { recursive: true, force: true })
  }
}
