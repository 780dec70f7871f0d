// npm run bench -- original: what bringing 20,000 rows of Big5 costs, and what a webhook beside it waits.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OriginalBatch } from '#contract/original-data.ts'
import { importOriginalData, listOriginalData } from '#contract/original-data.ts'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { big5 } from '#tests/support/big5.ts'
import { hookPath } from '#tests/support/desk.ts'
import { signUp } from '#tests/support/people.ts'
import { spawnServer } from '#tests/support/server.ts'

const ROWS = 20_000
const HEAD = '代碼,商品,動作,價格,張數,時間'
const line = (n: number) =>
  `2330.TW,台積電,${n % 2 ? '賣出' : '買進'},${1_000 + (n % 500)},1,2026/${String(1 + (n % 9)).padStart(2, '0')}/${String(2 + ((n >> 1) % 20)).padStart(2, '0')} 09:${String(n % 60).padStart(2, '0')}:${String((n >> 3) % 60).padStart(2, '0')}`

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Prints the preview's and the import's seconds, and the webhook's p50 and p99 alone and beside it. */
export async function original(): Promise<void> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-original-'))
  const server = await spawnServer({ data_dir })
  try {
    const person = await signUp(server)
    const make = (name: string) =>
      person.call(createStrategy, {
        ...{ kind: 'xq-stock', name },
        settings: { xq_script_name: '突破' },
      } as StrategyInput)
    const [of, live] = [await make('過去'), await make('現在')]
    const file = big5(
      [HEAD, ...Array.from({ length: ROWS }, (_, n) => line(n))].join('\r\n'),
    ) as Uint8Array<ArrayBuffer>
    let sent = 0
    const hook = async () => {
      const body = JSON.stringify({
        symbol: '2330',
        action: sent++ % 2 ? 'sell' : 'buy',
        price: 1_000,
        quantity: 1,
        id: `${sent}`,
      })
      const began = performance.now()
      const { status } = await server.request(hookPath(live), { method: 'POST', body })
      if (status !== 200) throw new Error(`the webhook answered ${status}`)
      return performance.now() - began
    }
    const pace = () => new Promise((next) => setTimeout(next, 10))
    const quiet: number[] = []
    for (let n = 0; n < 400; n++) {
      quiet.push(await hook())
      await pace()
    }
    const call = (dry_run: boolean) =>
      person.call(importOriginalData, { id: of.id, file, name: '過去.csv', dry_run: String(dry_run) })
    let began = performance.now()
    await call(true)
    const preview = performance.now() - began
    began = performance.now()
    await call(false)
    const beside: number[] = []
    const state = async () =>
      ((await person.call(listOriginalData, { id: of.id })).batches as OriginalBatch[])[0]?.state
    for (let n = 0; ; n++) {
      beside.push(await hook())
      await pace()
      if (n % 20 === 0 && (await state()) === 'done') break
    }
    const whole = performance.now() - began
    quiet.sort((a, b) => a - b)
    beside.sort((a, b) => a - b)
    const ms = (value: number) => `${value.toFixed(1)} ms`
    console.log(
      `${ROWS} rows: tried in ${(preview / 1_000).toFixed(2)} s, taken in ${(whole / 1_000).toFixed(1)} s; webhook p50/p99 alone ${ms(at(quiet, 0.5))}/${ms(at(quiet, 0.99))}, beside it ${ms(at(beside, 0.5))}/${ms(at(beside, 0.99))} (${beside.length} sent)`,
    )
  } finally {
    await server.stop()
    rmSync(data_dir, { recursive: true, force: true })
  }
}
