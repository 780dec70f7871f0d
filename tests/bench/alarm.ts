// npm run bench -- alarm: a message at the webhook → its push taken by the push service, at 100 signals a second; and what the
// notifier costs the intake.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getPushKey, subscribePush } from '#contract/binding.ts'
import { createStrategy } from '#contract/strategy.ts'
import { hookPath } from '#tests/support/desk.ts'
import { type Reachable, signUp } from '#tests/support/people.ts'
import { spawnServer, startServer } from '#tests/support/server.ts'
import { type Browsers, flood, messageNo, openBrowsers } from './alarm-side.ts'
import { percentile, report, round, used } from './figures.ts'
import { Sender } from './wire.ts'

const PEOPLE = 20
const RATE = 100
const SECONDS = 12
const FLOOD_S = 4
/** One flood differs from the next by a quarter: each with the notifier is compared with the one beside it without. */
const FLOODS = 11
const ENV = { LOG_LEVEL: 'error', OUTGOING_ALLOW: '127.0.0.0/8' }

/** Somebody with a device and a strategy: where its messages go, and the device. */
async function trader(server: Reachable, browsers: Browsers, n: number) {
  const person = await signUp(server, `交易人 ${n}`)
  const device = await browsers.subscribe((await person.call(getPushKey, {})).key)
  await person.call(subscribePush, device)
  const made = await person.call(createStrategy, {
    kind: 'futures',
    name: `策略 ${n}`,
    settings: { product_code: 'MXF' },
  })
  return { path: hookPath(made), endpoint: device.endpoint }
}

/** Milliseconds of each message, from before it was sent until its push was taken. */
async function alarms(): Promise<{ took: number[]; gathered: number; cost_us: number }> {
  const browsers = openBrowsers()
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-bench-'))
  const server = await spawnServer({ data_dir, env: ENV })
  try {
    const traders = []
    for (let n = 0; n < PEOPLE; n++) traders.push(await trader(server, browsers, n))
    const port = Number(new URL(server.url).port)
    const sent: { signal_id: string; endpoint: string; at: number }[] = []
    const before = used(server.child.pid)
    const began = Date.now() + 500
    await Promise.all(
      traders.map(async ({ path, endpoint }, i) => {
        const sender = new Sender('127.0.0.1', port)
        for (let n = i; n < RATE * SECONDS; n += PEOPLE) {
          const due = began + (n * 1_000) / RATE
          await new Promise((next) => setTimeout(next, Math.max(0, due - Date.now())))
          const at = Date.now()
          const { status, body } = await sender.post(path, messageNo(Math.floor(n / PEOPLE)))
          if (status !== 200) throw new Error(`${status} ${body}`)
          const { signal_id } = JSON.parse(body) as { signal_id: string }
          sent.push({ signal_id, endpoint, at })
        }
        sender.close()
      }),
    )
    for (let waited = 0; waited < 60_000; waited += 200) {
      await new Promise((next) => setTimeout(next, 200))
      const arrived = await browsers.arrived()
      const own = new Map(arrived.map((one) => [one.signal_id, one.at]))
      const many = arrived.filter(({ signal_id }) => signal_id === null)
      const took = sent.map(({ signal_id, endpoint, at }) => {
        const there = own.get(signal_id) ?? many.find((one) => one.endpoint === endpoint && one.at >= at)?.at
        return there === undefined ? null : there - at
      })
      if (took.every((ms) => ms !== null))
        return { took, gathered: many.length, cost_us: (used(server.child.pid) - before) / took.length }
    }
    throw new Error('a minute later not every push has arrived')
  } finally {
    await server.stop()
    browsers.end()
    rmSync(data_dir, { recursive: true, force: true })
  }
}

/** Messages a second that the intake stores, with the notifier or without; in a folder given, because then it waits for the disk as the product does. */
async function intake(notifies: boolean): Promise<number> {
  const browsers = openBrowsers()
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-bench-'))
  const server = await startServer({ env: ENV, data_dir, ...(notifies && { notifies: true }) })
  try {
    const paths = []
    for (let n = 0; n < PEOPLE; n++) paths.push((await trader(server, browsers, n)).path)
    return await flood(Number(new URL(server.url).port), paths, FLOOD_S)
  } finally {
    await server.close()
    browsers.end()
    rmSync(data_dir, { recursive: true, force: true })
  }
}

export async function alarm(): Promise<void> {
  const { took, gathered, cost_us } = await alarms()
  const rates = { without: [] as number[], with: [] as number[] }
  for (let run = 0; run < FLOODS; run++)
    // What the machine becomes over time is no advantage of either.
    for (const notifies of run % 2 === 0 ? [false, true] : [true, false])
      rates[notifies ? 'with' : 'without'].push(await intake(notifies))
  const shares = rates.with.map((rate, run) => rate / (rates.without[run] as number))
  const [without, beside] = [percentile(rates.without, 0.5), percentile(rates.with, 0.5)]
  const figures = {
    p50: round(percentile(took, 0.5)),
    p99: round(percentile(took, 0.99)),
    max: round(Math.max(...took)),
    gathered,
    cost_us: Math.round(cost_us),
    intake: {
      without: round(without),
      with: round(beside),
      share: round(percentile(shares, 0.5)),
      shares: shares.map(round),
    },
  }
  report(
    'alarm',
    `webhook in → push taken at ${RATE}/s: p50 ${figures.p50}, p99 ${figures.p99}, max ${figures.max} ms (50/250), ${gathered} gathered, processor ${figures.cost_us} us each; intake with the notifier ${figures.intake.with}/s, without ${figures.intake.without}/s: ${figures.intake.share} (0.9)`,
    figures,
  )
}
