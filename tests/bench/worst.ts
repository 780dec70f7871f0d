// A process of its own: accounts that do their worst until it is killed. Arguments: port, file with what they hold (JSON).
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Sender } from './wire.ts'

interface Account {
  uid: string
  token: string
  strategy_id: string
  hook: string
}

const [port = '', file = ''] = process.argv.slice(2)
const accounts = JSON.parse(readFileSync(file, 'utf8')) as Account[]
const base = `http://127.0.0.1:${port}/api/v1`
const counts: Record<string, number> = {}

/** Again and again; whoever is turned away comes back soon. */
async function loop(name: string, times: number, work: (n: number) => Promise<number>): Promise<void> {
  const one = async (_: unknown, place: number) => {
    for (let n = place; ; n += times) {
      const status = await work(n).catch(() => 0)
      counts[`${name} ${status}`] = (counts[`${name} ${status}`] ?? 0) + 1
      if (status !== 200) await sleep(100)
    }
  }
  await Promise.all(Array.from({ length: times }, one))
}

async function drained(response: Response, most = Number.POSITIVE_INFINITY): Promise<number> {
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > most) break
  }
  return response.status
}

process.stdout.write('begins\n')
for (const { uid, token, strategy_id, hook } of accounts) {
  const headers = { authorization: `Bearer ${token}` }
  const cursor = Buffer.from(JSON.stringify({ [`p:${uid}`]: 3 })).toString('base64url')
  const get = (path: string) => fetch(`${base}${path}`, { headers })
  void loop('export', 4, async (n) =>
    drained(await get(`/strategies/${strategy_id}/signals/export?format=${n % 2 ? 'csv' : 'json'}`)),
  )
  void loop('account', 1, async () => drained(await get('/user/export')))
  void loop('statistics', 4, async (n) =>
    drained(await get(`/strategies/${strategy_id}/statistics?from=2025-0${1 + (n % 9)}-01`)),
  )
  void loop('stream', 4, async () => {
    const end = new AbortController()
    const options = { headers: { ...headers, 'last-event-id': cursor }, signal: end.signal }
    const response = await fetch(`${base}/events`, options)
    const status = await drained(response, 1_000_000)
    end.abort()
    return status
  })
  void loop('refused', 2, async () => {
    const sender = new Sender('127.0.0.1', Number(port))
    try {
      for (let n = 0; n < 20; n++) await sender.post(hook, 'x'.repeat(30_000))
      return 200
    } finally {
      sender.close()
    }
  })
}
process.on('SIGTERM', () => {
  process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0))
})
