// A backup made under load, restored into either database: everything acknowledged before it is there, nobody is signed in, who was
// ahead is told; and what is damaged, cut off or would overwrite something is refused (F13, threat T35).

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { getProfile, uploadAvatar } from '#contract/profile.ts'
import { signalFeed } from '#contract/signal.ts'
import { createStrategy, getStrategy, listStrategies, uploadNoteImage } from '#contract/strategy.ts'
import { readEntries, TAR_END, tarEntry } from '#server/backup/format.ts'
import { describeEngines, engines } from '../support/engines.ts'
import { oneTrader, wholeFeed } from '../support/one-trader.ts'
import { inTheMidst, onslaught } from '../support/onslaught.ts'
import { type Person, send, signIn, signUp } from '../support/people.ts'
import { createDatabase } from '../support/postgres.ts'
import { type Engine, type SpawnedServer, spawnServer } from '../support/server.ts'
import { openStream } from '../support/stream.ts'
import { SOAK, sized } from '../support/tier.ts'

const CLI = fileURLToPath(new URL('../../server/cli/', import.meta.url))
type Env = Record<string, string>
let root: string
let undo: (() => unknown)[]
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lingbo-backup-'))
  undo = [() => rmSync(root, { recursive: true, force: true })]
})
afterEach(async () => {
  for (const step of undo.reverse()) await step()
})

/** A folder and, on PostgreSQL, a database of its own. */
async function place(engine: Engine, name: string): Promise<{ data_dir: string; env: Env }> {
  const database = engine === 'postgres' ? await createDatabase() : null
  if (database) undo.push(() => database.drop())
  const data_dir = join(root, name)
  return { data_dir, env: { DATA_DIR: data_dir, ...(database && { DATABASE_URL: database.url }) } }
}

const run = (command: 'backup' | 'restore', args: string[], env: Env) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, [join(CLI, `${command}.ts`), ...args], {
      env: { ...process.env, ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    child.on('close', (code) => resolve({ code, output }))
  })

async function start(at: { data_dir: string; env: Env }): Promise<SpawnedServer> {
  const server = await spawnServer(at)
  undo.push(() => server.stop('SIGKILL'))
  return server
}

const picture = async () =>
  new Uint8Array(
    await sharp({ create: { width: 40, height: 40, channels: 3, background: '#2d69de' } })
      .png()
      .toBuffer(),
  )

describeEngines('a backup', (engine) => {
  for (const target of engines())
    test(`made under load, restored into ${target}`, async () => {
      const here = await place(engine, 'here')
      const server = await start(here)
      const { person, path } = await oneTrader(server)
      const avatar = await send(
        server,
        uploadAvatar,
        { image: await picture() },
        { authorization: `Bearer ${person.token}` },
      )
      const { avatar: url } = ((await avatar.json()) as { result: { avatar: string } }).result
      const drawn = Buffer.from(await (await server.request(url)).arrayBuffer())
      const picture_of_note = await person.call(uploadNoteImage, { image: await picture() })
      const { id: noted } = await person.call(createStrategy, {
        kind: 'futures',
        name: '有圖的說明',
        note: `![走勢](${picture_of_note.url})`,
        settings: { product_code: 'TXF' },
      })
      const seen = async (at: SpawnedServer, who: Person) =>
        at.request(picture_of_note.url, { headers: { authorization: `Bearer ${who.token}` } })
      const drawn_of_note = Buffer.from(await (await seen(server, person)).arrayBuffer())
      const acknowledged = new Set<string>()
      const load = onslaught(server.url, [path], 8, 'load', acknowledged)
      await inTheMidst(acknowledged, 500)
      const before = [...acknowledged]
      const file = join(root, 'copy.tgz')
      const made = await run('backup', [file], here.env)
      expect([made.code, made.output]).toEqual([0, expect.stringContaining('已備份到')])
      expect(statSync(file).mode & 0o777).toBe(0o600)
      // The server never noticed; what it took since will be lost with it.
      const behind = acknowledged.size
      while (acknowledged.size < behind + 10) await new Promise((next) => setTimeout(next, 20))
      const stream = await openStream(server, person.token)
      const ahead = await person.call(signalFeed, { latest: 'true', limit: 1 })
      await stream.close()
      await server.stop('SIGKILL')
      await load

      const there = await place(target, 'there')
      const restored = await run('restore', [file], there.env)
      expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('都檢查過')])
      const next = await start(there)
      // Threat T35: whoever was signed in is not.
      expect((await send(next, getProfile, {}, { authorization: `Bearer ${person.token}` })).status).toBe(401)
      const again = await signIn(next, person.email)
      expect((await again.call(getProfile, {})).avatar).toBe(url)
      const shown = await next.request(url)
      expect(shown.headers.get('content-type')).toBe('image/webp')
      expect(drawn.equals(Buffer.from(await shown.arrayBuffer()))).toBe(true)
      // the picture of a note is there as well, for those who see its strategy and for nobody else
      const of_note = await seen(next, again)
      expect([of_note.status, of_note.headers.get('content-type')]).toEqual([200, 'image/webp'])
      expect(drawn_of_note.equals(Buffer.from(await of_note.arrayBuffer()))).toBe(true)
      expect((await again.call(getStrategy, { id: noted })).note).toContain(picture_of_note.url)
      expect((await seen(next, await signUp(next, '陌生人'))).status).toBe(404)
      const ids = (await wholeFeed(again)).map((record) => record.external_id)
      expect(ids).toEqual(expect.arrayContaining(before))
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.length).toBeLessThan(acknowledged.size)
      // Who was ahead hears it, by stream and by feed, and the webhook goes on under its address.
      const heard = await openStream(next, again.token, stream.cursor())
      expect((await heard.until(1))[0]?.kind).toBe('reset')
      await heard.close()
      const { next_after: after, epoch } = ahead
      expect(await again.call(signalFeed, { after, epoch })).toMatchObject({ reset: true, items: [] })
      const body = JSON.stringify({ id: 'later', symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 })
      expect((await next.request(path, { method: 'POST', body })).status).toBe(200)
      // A copy of the copy is the copy.
      await next.stop()
      expect((await run('backup', [join(root, 'second.tgz')], there.env)).code).toBe(0)
    })

  test.runIf(SOAK)('overwrites nothing: no folder, no database, no file, and no server at work', async () => {
    const here = await place(engine, 'here')
    const server = await start(here)
    const { person } = await oneTrader(server)
    const file = join(root, 'copy.tgz')
    expect((await run('backup', [file], here.env)).code).toBe(0)
    const second = await run('backup', [file], here.env)
    expect([second.code, second.output]).toEqual([1, expect.stringContaining('已經存在')])
    const running = await run('restore', [file, '--force'], here.env)
    expect([running.code, running.output]).toEqual([1, expect.stringMatching(/正由(另一個)?凌波伺服器使用/)])
    await server.stop()
    const used = await run('restore', [file], here.env)
    expect([used.code, used.output]).toEqual([1, expect.stringMatching(/不是空的.*沒有動它/)])
    const elsewhere = await run('restore', [file], { ...here.env, DATA_DIR: join(root, 'elsewhere') })
    if (engine === 'postgres')
      expect([elsewhere.code, elsewhere.output]).toEqual([1, expect.stringContaining('資料庫不是空的')])
    const forced = await run('restore', [file, '--force'], here.env)
    expect([forced.code, forced.output]).toEqual([0, expect.stringContaining('replaced-')])
    const next = await start(here)
    expect((await signIn(next, person.email)).uid).toBe(person.uid)
  })
})

describeEngines('what was stored before it was refused', (engine) => {
  test.runIf(SOAK)(
    'a NUL of former days is shown as a sign, and nothing else of the text is lost',
    async () => {
      const here = await place('sqlite', 'here')
      const server = await start(here)
      const { person } = await oneTrader(server)
      await server.stop()
      const db = new Sqlite(join(here.data_dir, 'lingbo.db'))
      db.prepare('update strategies set note = ?').run('前\0後 \\u0000 👍')
      db.close()
      const file = join(root, 'copy.tgz')
      expect((await run('backup', [file], here.env)).code).toBe(0)
      const there = await place(engine, 'there')
      const restored = await run('restore', [file], there.env)
      expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('都檢查過')])
      const next = await start(there)
      const again = await signIn(next, person.email)
      const { items } = await again.call(listStrategies, {})
      const { note } = await again.call(getStrategy, { id: items[0]?.id as string })
      expect(note).toBe('前␀後 \\u0000 👍')
    },
  )
})

test('a backup with an entry that is none of ours is refused by name before anything is made', async () => {
  const here = await place('sqlite', 'strange-here')
  const server = await start(here)
  await oneTrader(server)
  const file = join(root, 'strange.tgz')
  await run('backup', [file], here.env)
  const there = await place('sqlite', 'strange-there')
  const entries: { path: string; data: Buffer }[] = []
  for await (const { path, data } of readEntries(file)) entries.push({ path, data: Buffer.from(data) })
  const end = entries.pop() as { path: string; data: Buffer }
  for (const path of ['../escaped', 'bin/run.sh', 'keys/../../x', 'tables/none/000001.jsonl', 'notes.txt']) {
    const body = [...entries, { path, data: Buffer.from('x') }].map((one) => tarEntry(one, 0))
    const sha256 = createHash('sha256').update(Buffer.concat(body)).digest('hex')
    const told = { ...JSON.parse(end.data.toString('utf8')), sha256 }
    const last = tarEntry({ path: 'end.json', data: Buffer.from(JSON.stringify(told)) }, 0)
    writeFileSync(file, gzipSync(Buffer.concat([...body, last, TAR_END])))
    const { code, output } = await run('restore', [file], there.env)
    expect([path, code, output]).toEqual([path, 1, expect.stringContaining(`不認得的內容「${path}」`)])
    expect(existsSync(there.data_dir) ? readdirSync(there.data_dir) : []).toEqual([])
  }
})

test('a damaged or shortened backup is refused before anything is made', async () => {
  const here = await place('sqlite', 'here')
  const server = await start(here)
  const { send: post } = await oneTrader(server)
  for (let i = 0; i < 30; i++) await post(`${i}`)
  const file = join(root, 'copy.tgz')
  await run('backup', [file], here.env)
  const whole = readFileSync(file)
  const there = await place('sqlite', 'there')
  const spoiled = [
    whole.subarray(0, whole.length - 9),
    ...sized([], [Buffer.from('no backup at all'), whole.subarray(0, whole.length >> 1)]),
    ...sized([0.5], [0.2, 0.5, 0.8, 0.97]).map((part) => {
      const copy = Buffer.from(whole)
      // One bit may be another way to write the same (a match found elsewhere): enough that nothing can be what it was.
      copy.fill(0xa5, Math.floor(whole.length * part), Math.floor(whole.length * part) + 24)
      return copy
    }),
  ]
  for (const bytes of spoiled) {
    writeFileSync(file, bytes)
    const { code, output } = await run('restore', [file], there.env)
    expect([code, output]).toEqual([1, expect.stringMatching(/備份/)])
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(existsSync(there.data_dir) ? readdirSync(there.data_dir) : []).toEqual([])
  }
})
