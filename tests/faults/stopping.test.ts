// SIGTERM in the middle of a burst, ten times (F11): exit 0 each time, and everything that was answered is there, once.
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { signalFeed } from '#contract/signal.ts'
import { createStrategy } from '#contract/strategy.ts'
import { hashToken } from '#server/ids.ts'
import { hookPath } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { inTheMidst, onslaught } from '#tests/support/onslaught.ts'
import { signIn, signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { freePort, spawnServer, startServer } from '#tests/support/server.ts'
import { sized } from '#tests/support/tier.ts'

const TIMES = sized(1, 10)

describeEngines('SIGTERM under load', (engine) => {
  test(`${TIMES} times: exit 0, 0 lost, 0 doubled`, async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-stopping-'))
    const database = engine === 'postgres' ? await createDatabase() : null
    const port = await freePort()
    const env = { LOG_LEVEL: 'error', ...(database && { DATABASE_URL: database.url }) }
    const acknowledged: string[] = []
    let server = await spawnServer({ data_dir, port, env })
    let person = await signUp(server)
    const made = await person.call(createStrategy, {
      kind: 'futures',
      name: '停而不失',
      settings: { product_code: 'MXF' },
    })
    const path = hookPath(made)
    for (let i = 0; i < TIMES; i++) {
      const sure = new Set<string>()
      const load = onslaught(server.url, [path], 32, `t${i}`, sure)
      await inTheMidst(sure, 200)
      expect(await server.stop('SIGTERM')).toBe(0)
      await load
      acknowledged.push(...sure)
      server = await spawnServer({ data_dir, port, env })
    }
    person = await signIn(server, person.email)
    const stored: string[] = []
    for (let more = true, after = 0; more; ) {
      const page = await person.call(signalFeed, { after, limit: 1_000 })
      stored.push(...page.items.map((record) => record.external_id as string))
      after = page.next_after
      more = page.more
    }
    await server.stop()
    await database?.drop()
    rmSync(data_dir, { recursive: true, force: true })
    expect(acknowledged.length).toBeGreaterThan(TIMES)
    expect(new Set(stored).size).toBe(stored.length)
    expect(acknowledged.filter((id) => !stored.includes(id))).toEqual([])
  })

  test('what was taken is finished before the intake calls itself closed; then nothing more is taken', async () => {
    const server = await startServer({ engine })
    onTestFinished(() => server.close())
    const person = await signUp(server)
    const made = await person.call(createStrategy, {
      kind: 'futures',
      name: '收完才關',
      settings: { product_code: 'MXF' },
    })
    const token = hookPath(made).split('/').at(-1) as string
    const receive = (id: string) => {
      const message = { id, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }
      const body = Buffer.from(JSON.stringify(message))
      return server.app.intake.receive({
        token_hash: hashToken(token),
        ip: '127.0.0.1',
        content_encoding: '',
        content_type: '',
        size: body.length,
        body,
        received_ms: Date.now(),
        started: performance.now(),
      })
    }
    const statuses: number[] = []
    for (let i = 0; i < 600; i++) void receive(`k${i}`).then(({ status }) => statuses.push(status))
    await server.app.intake.close()
    expect(statuses).toEqual(Array(600).fill(200))
    expect((await receive('late')).status).toBe(503)
  })
})

test('who asks once more over a connection of before the stop is answered and told that it ends', async () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-stopping-'))
  const server = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error' } })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  const ask = 'POST /api/v1/user/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  socket.write(`${ask}content-length: 2\r\n\r\n{}`)
  await expect.poll(() => answer).toContain('\r\n\r\n{')
  expect(answer).not.toMatch(/connection: close/i)
  answer = ''
  socket.write(`${ask}expect: 100-continue\r\ncontent-length: 2\r\n\r\n{`)
  await expect.poll(() => answer).toContain('100 Continue')
  const stopped = server.stop('SIGTERM')
  const refused = () =>
    server.request('/healthz').then(
      () => 'answered',
      () => 'refused',
    )
  await expect.poll(refused).toBe('refused')
  // The rest of the one, and another behind it.
  socket.write(`}${ask}content-length: 2\r\n\r\n{}`)
  expect(await stopped).toBe(0)
  expect(answer.match(/HTTP\/1.1 422 /g)).toHaveLength(2)
  expect(answer).toMatch(/connection: close/i)
  rmSync(data_dir, { recursive: true, force: true })
})
