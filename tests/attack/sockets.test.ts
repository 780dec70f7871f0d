// Silent connections (F: slow loris): one address, or many, keep neither calls, webhooks nor streams of others from going on.
import { mkdtempSync, rmSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createStrategy } from '#contract/strategy.ts'
import { roomOf } from '#server/http/sockets.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { callFrom, openSilent, type Silent } from '#tests/support/sockets.ts'
import { SOAK } from '#tests/support/tier.ts'

/** 204 connections in all, 51 from one address: the shares of 1,024 in small. */
const OPEN_FILES = 256
const ROOM = roomOf(null, OPEN_FILES)
const MESSAGE = '{"symbol":"MXF1!","action":"buy","price":46500}'

describeEngines('silent connections', (engine) => {
  let folder: string
  let server: SpawnedServer
  let person: Person
  let hook: string
  const undo: (() => void)[] = []
  let drop: () => Promise<void> | undefined

  async function start(env: Record<string, string> = {}): Promise<void> {
    folder = mkdtempSync(join(tmpdir(), 'lingbo-sockets-'))
    const database = engine === 'postgres' ? await createDatabase() : null
    drop = () => database?.drop()
    const where = database && { DATABASE_URL: database.url }
    server = await spawnServer({ data_dir: folder, env: { ...env, ...where }, open_files: OPEN_FILES })
    person = await signUp(server, '王小明')
    const settings = { product_code: 'MXF' }
    const made = await person.call(createStrategy, { kind: 'futures', name: '照常', settings })
    hook = `${server.url}${new URL(made.webhooks?.[0]?.url as string).pathname}`
  }
  afterEach(async () => {
    for (const end of undo.splice(0)) end()
    await server.stop('SIGKILL')
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function silent(from: (n: number) => string, count: number): Promise<Silent> {
    const opened = await openSilent(server.url, from, count)
    undo.push(() => opened.close())
    return opened
  }

  /** A stream that another address reads: how many signals it has heard, and whether it still stands. */
  async function listen(from: string) {
    const heard = { signals: 0, ended: false }
    await new Promise<void>((ready, fail) => {
      const headers = { authorization: `Bearer ${person.token}` }
      const call: ClientRequest = request(
        `${server.url}/api/v1/events`,
        { headers, localAddress: from },
        (answer) => {
          answer.setEncoding('utf8').on('data', (text: string) => {
            heard.signals += text.split('event: signal\n').length - 1
            ready()
          })
          answer.on('close', () => {
            heard.ended = true
          })
        },
      )
      call.on('error', fail)
      call.end()
      undo.push(() => call.destroy())
    })
    return heard
  }

  async function othersGoOn(heard: { signals: number; ended: boolean }): Promise<void> {
    const before = heard.signals
    expect((await callFrom('127.0.0.41', `${server.url}/readyz`)).status).toBe(200)
    const sent = await callFrom('127.0.0.42', hook, { method: 'POST', body: MESSAGE })
    expect(sent).toMatchObject({ status: 200, body: expect.stringContaining('"accepted"') })
    await expect.poll(() => heard.signals).toBe(before + 1)
    expect(heard.ended).toBe(false)
  }

  test.runIf(SOAK)('from one address: it gets its part, the others go on', async () => {
    await start()
    await server.says(`"connections":${ROOM.connections},"per_address":${ROOM.per_address}`)
    const heard = await listen('127.0.0.40')
    const flood = await silent(() => '127.0.0.66', 400)
    await othersGoOn(heard)
    await expect.poll(() => flood.open()).toBeLessThanOrEqual(ROOM.per_address)
    expect(flood.open()).toBeGreaterThan(0)
  })

  test.runIf(SOAK)('from many addresses: the silent make room for those who speak', async () => {
    await start()
    const heard = await listen('127.0.0.40')
    const flood = await silent((n) => `127.0.1.${1 + (n % 200)}`, 400)
    await othersGoOn(heard)
    await expect.poll(() => flood.open()).toBeLessThanOrEqual(ROOM.connections)
  })

  test.runIf(SOAK)('who is at work is not ended for who comes: the newest of that address is', async () => {
    await start({ CONNECTIONS_PER_ADDRESS: '3' })
    const heard = [await listen('127.0.0.50'), await listen('127.0.0.50'), await listen('127.0.0.50')]
    await expect(callFrom('127.0.0.50', `${server.url}/readyz`)).rejects.toThrow()
    expect(heard.map(({ ended }) => ended)).toEqual([false, false, false])
    expect((await callFrom('127.0.0.51', `${server.url}/readyz`)).status).toBe(200)
  })

  test.runIf(SOAK)('a trusted proxy has no part of its own', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.66' })
    const through = await silent(() => '127.0.0.66', ROOM.per_address + 40)
    const direct = await silent(() => '127.0.0.67', ROOM.per_address + 40)
    expect((await callFrom('127.0.0.41', `${server.url}/readyz`)).status).toBe(200)
    await expect.poll(() => direct.open()).toBeLessThanOrEqual(ROOM.per_address)
    expect(through.open()).toBe(ROOM.per_address + 40)
  })
})
