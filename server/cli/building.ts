// Builds the app when a source changed, and lays compressed twins beside its files.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { ROOT } from '../config.ts'

const DIST = join(ROOT, 'dist')
const STAMP = join(DIST, '.stamp')
/** What the build reads. The route tree is left out: the build writes it. */
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
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourceHash()
}

/** Builds; gives the exit code. */
export function build(): number {
  const before = sourceHash()
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

function sourceHash(): string {
  const hash = createHash('sha256')
  for (const source of SOURCES.map((name) => join(ROOT, name)).filter(existsSync))
    for (const file of statSync(source).isDirectory() ? filesOf(source) : [source]) {
      if (file.endsWith('routeTree.gen.ts')) continue
      hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0')
    }
  return hash.digest('hex')
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
