// The bridge as it is handed out, run against a server: new lines in their order, once each, through a server that is away and a restart of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  BRIDGE_FILES,
  BRIDGE_PLATFORMS,
  getBridge,
  listDeliveries,
  listStrategyWebhooks,
  setWebhookStatus,
} from '#contract/webhook.ts'
import { big5 } from '../support/big5.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { send } from '../support/people.ts'
import { findPython } from '../support/python.ts'

const python = findPython()
if (python === null) console.warn('no Python here: the bridge was not run')

let desk: Desk
let webhook_id: string
let strategy_id: string
let folder: string
let door: Server
/** What the door answers instead of letting it through, in order. */
const instead: { status: number; after?: string }[] = []
const running = new Set<ChildProcess>()

async function script(platform: (typeof BRIDGE_PLATFORMS)[number]): Promise<Response> {
  const headers = { authorization: `Bearer ${desk.person.token}` }
  return send(desk.server, getBridge, { id: webhook_id, platform }, headers)
}

beforeAll(async () => {
  desk = await openDesk()
  const made = await desk.strategy({ kind: 'xq-stock', settings: { symbols: [], xq_script_name: '突破' } })
  webhook_id = made.webhook.id
  strategy_id = made.strategy.id
  folder = mkdtempSync(join(tmpdir(), 'lingbo-bridge-'))
  // between bridge and server stands a door that can be closed
  door = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const closed = instead.shift()
    if (closed) {
      response
        .writeHead(closed.status, closed.after === undefined ? {} : { 'retry-after': closed.after })
        .end()
      return
    }
    const body = Buffer.concat(chunks)
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    const answer = await desk.server.request(request.url ?? '', { method: 'POST', headers, body })
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((listening) => door.listen(0, '127.0.0.1', listening))
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  door.close()
  rmSync(folder, { recursive: true, force: true })
  await desk.server.close()
})

/** A guard against hanging: what comes sooner costs nothing. */
const until = (so: () => boolean | Promise<boolean>) => vi.waitUntil(so, { timeout: 60_000, interval: 50 })

/** Starts the Python bridge on the files of the folder, its address led through the door. */
async function start() {
  const { port } = door.address() as AddressInfo
  const text = await (await script('python')).text()
  const own = text.replace(/^(URL = "http:\/\/)[^/]+/m, `$1127.0.0.1:${port}`)
  const path = join(folder, BRIDGE_FILES.python)
  writeFileSync(path, own)
  const child = spawn(python ?? '', ['-X', 'utf8', path, join(folder, '*.log')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  const stop = () =>
    new Promise<void>((ended) => {
      running.delete(child)
      child.once('exit', () => ended())
      child.kill('SIGKILL')
    })
  await until(() => said.includes('開始'))
  return { said: () => said, stop }
}
const line = (time: string, symbol: string, price: string, note: string) =>
  `20261120.000000 ${time}.000000 ${symbol}.TW ${price} ${note}\r\n`
const bodies = async () => {
  const { items } = await desk.person.call(listDeliveries, { id: webhook_id, limit: 100 })
  return items.map(({ body }) => body).reverse()
}
const heard = async () => {
  const [webhook] = await desk.person.call(listStrategyWebhooks, { id: strategy_id })
  return webhook?.last_heard_at ?? null
}

test.each(BRIDGE_PLATFORMS)(
  '%s: the file has the address, and nothing is left to be filled in',
  async (platform) => {
    const answer = await script(platform)
    expect(answer.headers.get('content-disposition')).toContain(`filename="${BRIDGE_FILES[platform]}"`)
    const text = await answer.text()
    const [webhook] = await desk.person.call(listStrategyWebhooks, { id: strategy_id })
    expect(text).toContain(webhook?.url)
    expect(text).not.toContain('__URL__')
  },
)

test('Windows PowerShell reads Chinese in a file only behind a mark', async () => {
  const bytes = new Uint8Array(await (await script('powershell')).arrayBuffer())
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
})

test.skipIf(python === null)('new lines arrive once and in order, whatever happens in between', async () => {
  const first = join(folder, '20261120_突破.log')
  writeFileSync(first, line('090000', '2330', '1080.00', '昨天的'))
  const bridge = await start()
  await until(async () => (await heard()) !== null)
  // its PING is heard, and stands neither among the messages nor in their counts, unless it is asked for
  expect(await bodies()).toEqual([])
  const [webhook] = await desk.person.call(listStrategyWebhooks, { id: strategy_id })
  expect([webhook?.counts.ignored, webhook?.counts_24h.ignored]).toEqual([0, 0])
  const pings = await desk.person.call(listDeliveries, { id: webhook_id, reason_code: 'heartbeat' })
  expect(pings.items.map(({ body }) => body)).toEqual(['PING'])

  // written in Big5, the second line not to its end yet
  appendFileSync(first, big5(line('093000', '2330', '1085.00', '突破20日高')))
  appendFileSync(first, big5(line('093100', '2884', '28.35', '突破')).subarray(0, 30))
  await until(async () => (await bodies()).length === 1)
  expect((await bodies())[0]).toContain('突破20日高')
  appendFileSync(first, big5(line('093100', '2884', '28.35', '突破')).subarray(30))
  await until(async () => (await bodies()).length === 2)

  // away, too busy, away: the line waits and the next one behind it
  instead.push({ status: 503 }, { status: 429, after: '1' }, { status: 502 })
  appendFileSync(first, line('093200', '2603', '201.0', 'a') + line('093300', '2603', '202.0', 'b'))
  await until(async () => (await bodies()).length === 4)
  expect((await bodies()).slice(2).map((body) => body?.at(-1))).toEqual(['a', 'b'])
  expect(bridge.said()).toContain('伺服器回 503')

  // what is refused is said, and holds nothing up
  appendFileSync(first, `哈囉\n${line('093400', '2603', '203.0', 'c')}`)
  await until(async () => (await bodies()).at(-1)?.endsWith('c') === true)
  await until(() => /沒收下（422） 哈囉：/.test(bridge.said()))

  // killed once all of it is noted; two lines and another day's file come meanwhile
  await until(() =>
    readFileSync(join(folder, 'lingbo-bridge.json'), 'utf8').includes(String(statSync(first).size)),
  )
  await bridge.stop()
  appendFileSync(first, line('093500', '2603', '204.0', 'd'))
  writeFileSync(join(folder, '20261121_突破.log'), line('090100', '2603', '205.0', 'e'))
  const again = await start()
  await until(async () => (await bodies()).at(-1)?.endsWith('e') === true)
  expect((await bodies()).map((body) => body?.at(-1)).join('')).toMatch(/abc?.*de$/)
  expect(await bodies()).toHaveLength(8)
  expect(Object.values(JSON.parse(readFileSync(join(folder, 'lingbo-bridge.json'), 'utf8')))).toHaveLength(2)

  // the webhook is switched off: the line stays where it is, and the next start brings it
  await desk.person.call(setWebhookStatus, { id: webhook_id, enabled: false })
  appendFileSync(first, line('093530', '2603', '204.5', 'x'))
  await until(() => again.said().includes('停在這一行'))
  await desk.person.call(setWebhookStatus, { id: webhook_id, enabled: true })
  const once_more = await start()
  await until(async () => (await bodies()).filter((body) => body?.endsWith('x')).length === 2)
  const taken = await desk.person.call(listDeliveries, { id: webhook_id, outcome: 'rejected' })
  expect(taken.items.map(({ reason_code }) => reason_code)).toEqual(['disabled', 'unreadable'])

  // the sender begins its file anew
  writeFileSync(first, line('093600', '2603', '206.0', 'f'))
  await until(async () => (await bodies()).at(-1)?.endsWith('f') === true)
  await once_more.stop()
})
