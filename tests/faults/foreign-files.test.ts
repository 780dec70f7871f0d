// restore and verify given a file that is none of ours, cut off or spoiled: one Chinese sentence that says what to do.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TAR_END, tarEntry } from '#server/backup/format.ts'
import { SOAK, sized } from '#tests/support/tier.ts'

const CLI = fileURLToPath(new URL('../../server/cli/', import.meta.url))
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lingbo-foreign-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The one line that is said. */
function said(command: 'restore' | 'verify' | 'backup', file: string, data_dir = 'target'): string {
  const env = { ...process.env, DATA_DIR: join(folder, data_dir), DATABASE_URL: '' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(CLI, `${command}.ts`), file], {
    env,
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr.trim().split('\n')).toHaveLength(1)
  return stderr
}
function written(name: string, data: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, data)
  return path
}
const entry = (path: string, text: string) => tarEntry({ path, data: Buffer.from(text) }, 0)

describe('restore', () => {
  const foreign: [string, () => string][] = [
    ['a text', () => written('a.txt', 'hello')],
    [
      'another program’s archive',
      () => written('b.tgz', gzipSync(Buffer.concat([entry('a', 'b'), TAR_END]))),
    ],
    ['a text that was packed', () => written('c.gz', gzipSync('hello'))],
    [
      'random bytes',
      () => written('d.bin', Buffer.from(Array.from({ length: 3_000 }, (_, i) => (i * 37) % 251))),
    ],
  ]
  test.each(sized(foreign.slice(-1), foreign))('%s', (_name, make) => {
    const text = said('restore', make())
    expect(text).toMatch(/不是凌波的備份檔。請給 npm run backup 做出來的那個檔案（\.tgz）；沒有更動任何資料/)
    expect(readdirSync(folder)).not.toContain('target')
  })

  test.runIf(SOAK)('a folder, and a file that is not there', () => {
    mkdirSync(join(folder, 'dir'))
    expect(said('restore', join(folder, 'dir'))).toContain('是資料夾。請給 npm run backup')
    expect(said('restore', join(folder, 'nothing'))).toContain('找不到備份檔')
  })

  test.runIf(SOAK)('one of ours that was cut off', () => {
    const manifest = entry(
      'manifest.json',
      JSON.stringify({ format: 'lingbo-backup', version: 1, tables: [], migrations: [] }),
    )
    const noise = entry(
      'keys/noise',
      Array.from({ length: 40_000 }, (_, i) => ((i * 7_919) % 65_521).toString(36)).join(''),
    )
    const whole = gzipSync(Buffer.concat([manifest, noise, TAR_END]))
    for (const data of [whole.subarray(0, whole.length / 2), Buffer.alloc(0)]) {
      const text = said('restore', written('cut.tgz', data))
      expect(text).toMatch(/不完整，可能在備份、複製或下載時中斷。請重新複製，或改用另一份備份/)
      expect(text).not.toMatch(/unexpected|end of file/)
    }
  })
})

describe('verify', () => {
  test.runIf(SOAK)('a text, another JSON, a backup', () => {
    for (const data of ['hello', '{"a":1}', gzipSync('hello')]) {
      const text = said('verify', written('v', data))
      expect(text).toMatch(/^這不是凌波匯出的紀錄。請給從策略的「訊號」匯出的 JSON 檔/)
    }
  })

  test('an export that lacks a field', () => {
    const text = said('verify', written('w.json', '{"format":"lingbo-record/1"}'))
    expect(text).toMatch(
      /^檔案的開頭缺了欄位或格式被更動過（exported_at）。請從策略的「訊號」再匯出一次 JSON/,
    )
    expect(readFileSync(join(folder, 'w.json'), 'utf8')).toBe('{"format":"lingbo-record/1"}')
  })
})
