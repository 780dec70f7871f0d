// Builds the app when a source changed, and lays compressed twins beside its files.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { ROOT } from '../config.ts'
import { filesOf, hashOf } from './sources.ts'

const DIST = join(ROOT, 'dist')
const STAMP = join(DIST, '.stamp')
/** What the build reads. */
const SOURCES = [
  'index.html',
  'vite.config.ts',
  'server/cli/chunks.ts',
  'server/cli/class-name.ts',
  'package.json',
  'package-lock.json',
  'contract',
  'trading',
  'src',
  'sw',
  'public',
]
const COMPRESSED = new Set(['.html', '.js', '.css', '.json', '.webmanifest', '.svg', '.txt'])
/** Smaller files fit into the first packet anyway. */
const COMPRESS_FROM = 600

/** True when `dist` was made from the sources as they are (by content, so a fresh clone is right too). */
export function isBuilt(): boolean {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hashOf(SOURCES)
}

/** Builds; gives the exit code. */
export function build(): number {
  const before = hashOf(SOURCES)
  const { status } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    {
      cwd: ROOT,
      stdio: 'inherit',
    },
  )
  if (status !== 0) return status ?? 1
  for (const file of filesOf(DIST)) compress(file)
  writeFileSync(STAMP, before)
  return 0
}

/** Writes `file`.br and `file`.gz when that makes it smaller. */
export function compress(file: string): void {
  if (!COMPRESSED.has(extname(file)) || statSync(file).size < COMPRESS_FROM) return
  const plain = readFileSync(file)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
  const twins = { br: brotliCompressSync(plain, { params }), gz: gzipSync(plain, { level: 9 }) }
  for (const [end, bytes] of Object.entries(twins))
    if (bytes.length < plain.length) writeFileSync(`${file}.${end}`, bytes)
}
