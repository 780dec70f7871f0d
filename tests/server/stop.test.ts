// The process: says where it is, refuses wrong settings in one message, and stops without losing what runs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getProfile, updateName } from '#contract/profile.ts'
import { call, PASSWORD, send, signUp } from '#tests/support/people.ts'
import { served, spawnServer } from '#tests/support/server.ts'
import { openStream } from '#tests/support/stream.ts'

describe('the process', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lingbo-stop-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const run = (env: Record<string, string>) =>
    new Promise<{ code: number | null; output: string }>((resolve) => {
      const child = spawn(process.execPath, [served()], {
        env: { ...process.env, DATA_DIR: folder, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text
        })
      child.on('close', (code) => resolve({ code, output }))
    })

  test('wrong settings: one message with all of them, no stack, exit 1', async () => {
    const { code, output } = await run({ PORT: 'x', LOG_LEVEL: 'y', PUBLIC_URL: 'z' })
    expect(code).toBe(1)
    for (const name of ['PORT', 'LOG_LEVEL', 'PUBLIC_URL']) expect(output).toContain(name)
    expect(output).not.toContain(' at ')
  })

  test('a taken port or folder is one sentence', async () => {
    const server = await spawnServer({ data_dir: folder })
    const port = new URL(server.url).port
    const taken_folder = await run({ PORT: '0' })
    expect([taken_folder.code, taken_folder.output]).toEqual([1, expect.stringContaining('另一個凌波伺服器')])
    const taken_port = await run({ PORT: port, DATA_DIR: join(folder, 'b') })
    expect([taken_port.code, taken_port.output]).toEqual([
      1,
      expect.stringContaining(`連接埠 ${port} 已被占用`),
    ])
    await server.says(`凌波已啟動：${server.url}`)
    expect(await server.stop('SIGINT')).toBe(0)
  })

  test('SIGTERM: what runs is answered, streams end, new ones are refused, exit 0, nothing is lost', async () => {
    const server = await spawnServer({ data_dir: folder })
    const person = await signUp(server, '停機', { verify: false })
    const stream = await openStream(server, person.token)
    // A request whose body is only half here when the signal comes.
    const body = JSON.stringify({ name: '停機中改名' })
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text
    })
    socket.write(
      `PUT /api/v1/user/name HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${person.token}\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 5)}`,
    )
    await expect.poll(() => answer).toContain('100 Continue')
    const stopped = server.stop('SIGTERM')
    await expect.poll(() => stream.ended()).toBe(true)
    await expect
      .poll(() =>
        server.request('/healthz').then(
          () => 'answered',
          () => 'refused',
        ),
      )
      .toBe('refused')
    socket.write(body.slice(5))
    expect(await stopped).toBe(0)
    expect(answer).toContain('200 OK')
    const again = await spawnServer({ data_dir: folder })
    expect((await call(again, getProfile, {}, { authorization: `Bearer ${person.token}` })).name).toBe(
      '停機中改名',
    )
    await again.stop()
  })

  test('a request that never ends does not hold up the stop for longer than the drain', async () => {
    const server = await spawnServer({ data_dir: folder, env: { DRAIN_MS: '500' } })
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    const begun = once(socket, 'data')
    socket.write(
      'POST /api/v1/user/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n{',
    )
    expect(String(await begun)).toContain('100 Continue')
    expect(await server.stop('SIGTERM')).toBe(0)
    socket.destroy()
  })

  test('killed without warning, it comes back with everything that was answered', async () => {
    const server = await spawnServer({ data_dir: folder })
    const person = await signUp(server, '第一個名字', { verify: false })
    await person.call(updateName, { name: '最後的名字' })
    await server.stop('SIGKILL')
    const again = await spawnServer({ data_dir: folder })
    expect((await call(again, getProfile, {}, { authorization: `Bearer ${person.token}` })).name).toBe(
      '最後的名字',
    )
    await again.stop()
  })

  test('no secret stands in the log, at any level', async () => {
    const server = await spawnServer({
      data_dir: folder,
      env: { LOG_LEVEL: 'trace', SMTP_URL: 'smtp://user:smtp-marker@127.0.0.1:9' },
    })
    const person = await signUp(server, 'name-marker', { verify: false })
    await send(server, getProfile, {}, { authorization: 'Bearer bad-token-marker' })
    await server.request('/hooks/hook-token-marker', { method: 'POST', body: 'hook-body-marker' })
    await server.request('/api/v1/user/login?password=query-marker', {
      method: 'POST',
      body: '{"password":"broken-marker',
    })
    await server.request('/login?ticket=ticket-marker')
    await server.request('/api/v1/user/verify/send', {
      method: 'POST',
      headers: { authorization: `Bearer ${person.token}` },
    })
    await new Promise((next) => setTimeout(next, 300))
    await server.stop()
    const output = server.output()
    expect(output).toContain('"level":20')
    const [, payload = '', signature = ''] = person.token.split('.')
    for (const marker of ['marker', PASSWORD, payload, signature, person.email])
      expect(output).not.toContain(marker)
  })
})
