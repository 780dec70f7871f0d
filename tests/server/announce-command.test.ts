// npm run announce as it is typed: what a running server takes in, in Taipei's time, and what is wrong with it.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '#server/config.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { sized } from '#tests/support/tier.ts'

let server: TestServer
let dir: string
beforeAll(async () => {
  server = await startServer({ notifies: true })
  dir = mkdtempSync(join(tmpdir(), 'lingbo-announce-'))
})
afterAll(async () => {
  await server.close()
  rmSync(dir, { recursive: true })
})

const typed = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['server/cli/announce.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: server.data_dir },
  })
const stored = () => server.app.db.selectFrom('announcements').selectAll().execute()

test('it is taken in by the running server, and its time is Taipei’s where no zone is said', async () => {
  const file = join(dir, '維護.md')
  writeFileSync(file, '週六 **08:00** 維護')
  const { stdout } = await typed(
    file,
    '--title=週六維護',
    '--at=2099-12-05T08:00',
    '--expire=2099-12-06',
    '--pinned',
  )
  expect(stdout).toContain('伺服器已收下公告')
  const [row] = await stored()
  expect(row).toMatchObject({
    ...{
      organization_id: null,
      title: '週六維護',
      body: '週六 **08:00** 維護',
      pinned: 1,
      published_at: null,
    },
    ...{ publish_at: '2099-12-05T00:00:00.000Z', expire_at: '2099-12-05T16:00:00.000Z' },
  })
  const gone = await typed(`--delete=${row?.id}`)
  expect(gone.stdout).toContain('伺服器已收下刪除')
  await expect.poll(stored).toEqual([])
})

test('what is wrong is said in one sentence, and nothing is left for the server', async () => {
  const file = join(dir, '空.md')
  writeFileSync(file, '')
  const wrong: readonly (readonly [args: readonly string[], said: string])[] = [
    [[], '用法'],
    [[file, '--title=題'], '內容'],
    [[join(dir, '沒有.md'), '--title=題'], '找不到檔案'],
    [[file, '--title=題', '--at=明天'], '內容'],
  ]
  // Each is a process of its own.
  for (const [args, said] of sized(wrong.slice(1, 2), wrong))
    await expect(typed(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(said) })
  expect(await stored()).toEqual([])
})
