// One strategy with 100,000 records: what a person asks of it, on a server that was just started on them, and its pages in a browser.
import { rmSync } from 'node:fs'
import type { Page } from 'playwright'
import type { Endpoint, InputOf } from '#contract/endpoint.ts'
import { exportSignals, listStrategySignals } from '#contract/signal.ts'
import { getStatistics } from '#contract/statistics.ts'
import { getStrategy, listStrategies } from '#contract/strategy.ts'
import { signIn } from '#tests/support/people.ts'
import { openSignedIn, signedInContext } from '#tests/support/screen.ts'
import { spawnServer } from '#tests/support/server.ts'
import { openBrowser, openUntil, PHONE, settled } from './app.ts'
import { percentile, report, shown, spread } from './figures.ts'
import { longRecords } from './long-records.ts'

const RECORDS = Number(process.env['RECORDS'] ?? 100_000)
const ASKED = 40
const RUNS = 5

/** npm run bench -- long. */
export async function longStrategy(): Promise<void> {
  const { data_dir, people } = await longRecords(1, 1, RECORDS)
  const [one] = people
  if (!one) throw new Error('nobody was made')
  const id = one.strategies[0]?.id ?? ''
  const server = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error' } })
  try {
    const person = await signIn(server, one.person.email)
    const ask = async <E extends Endpoint>(endpoint: E, input: InputOf<E>) => {
      const began = performance.now()
      await person.call(endpoint, input)
      return performance.now() - began
    }
    const asked = async <E extends Endpoint>(name: string, endpoint: E, input: InputOf<E>) => {
      const first = await ask(endpoint, input)
      const times: number[] = []
      for (let n = 0; n < ASKED; n++) times.push(await ask(endpoint, input))
      const figures = { first, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
      const [a, b, c] = Object.values(figures).map((ms) => ms.toFixed(1))
      report(
        `long-${name}`,
        `${RECORDS} records, ${name}: first ${a} ms, then p50 ${b}, p99 ${c} ms`,
        figures,
      )
    }
    await asked('strategy', getStrategy, { id })
    await asked('list', listStrategies, {})
    await asked('statistics', getStatistics, { id })
    await asked('newest 50', listStrategySignals, { id, limit: 50 })
    await asked('newest 50 closes', listStrategySignals, { id, limit: 50, effect: 'close' })
    await asked('nothing found', listStrategySignals, { id, limit: 50, effect: 'reverse', action: 'target' })
    for (const format of ['csv', 'json'] as const) {
      const path = `/api/v1${exportSignals.path.replace(':id', id)}?format=${format}`
      const times: number[] = []
      let bytes = 0
      for (let run = 0; run < RUNS; run++) {
        const began = performance.now()
        const answer = await server.request(path, { headers: { authorization: `Bearer ${person.token}` } })
        if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
        bytes = (await answer.arrayBuffer()).byteLength
        times.push(performance.now() - began)
      }
      const figures = spread(times)
      report(
        `long-export-${format}`,
        `${RECORDS} records as ${format}, ${(bytes / 1e6).toFixed(1)} MB: ${shown(figures, 'ms')}`,
        { ...figures, bytes },
      )
    }
    const browser = await openBrowser()
    const context = await signedInContext(browser, server.url, person, { viewport: PHONE })
    const path = `/strategies/${id}`
    const first = await openSignedIn(browser, server.url, person, path, context)
    await settled(first)
    await first.close()
    for (const [tab, text] of [
      ['overview', '淨損益'],
      ['signals', '46,'],
      ['positions', '部位變化'],
    ] as const) {
      const times: number[] = []
      for (let run = 0; run < RUNS; run++) {
        const page: Page = await context.newPage()
        times.push((await openUntil(page, `${server.url}${path}?tab=${tab}`, text, 'main')).ready)
        await page.close()
      }
      const figures = spread(times)
      report(`long-${tab}`, `${RECORDS} records, ?tab=${tab} opened: ${shown(figures, 'ms')}`, figures)
    }
    await browser.close()
  } finally {
    await server.stop('SIGKILL')
    rmSync(data_dir, { recursive: true, force: true })
  }
}
