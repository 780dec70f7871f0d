// Builds the app when a source changed, and lays compressed twins beside its files.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { ROOT, readConfig } from '../config.ts'
import { makeFolder } from '../make-folder.ts'
import { sentenceOf } from '../start-errors.ts'

// What a build was made from, by content: a fresh clone is right, too.

/** A name of the contents of these files and folders of the repository; those that are not there count as empty. */
export function hashOf(sources: readonly string[]): string {
  const hash = createHash('sha256')
  for (const source of sources.map((name) => join(ROOT, name)).filter(existsSync))
    for (const file of statSync(source).isDirectory() ? filesOf(source) : [source]) {
      // the build writes it itself
      if (file.endsWith('routeTree.gen.ts')) continue
      hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0')
    }
  return hash.digest('hex')
}

/** Every file below a folder, in order. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

// What a class of a CSS module is called on the page: the component's name and its own, so that tests and people can read it.

const kebab = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()

/** Whose a class on the page is: without a hash, two components of one name would restyle each other. */
const owners = new Map<string, string>()

/** `root` of NameCard.module.css is `name-card`, `keyLine` there `name-card-key-line`; `OtherCard`, of a component beside it, `other-card`. */
export function classOf(local: string, file: string): string {
  // a build asks for `NameCard.module.css?used`
  const [path = ''] = file.split('?')
  const name = path.split(/[/\\]/).at(-1) ?? ''
  const component = kebab(name.slice(0, Math.max(0, name.indexOf('.module.css'))))
  const own = local === 'root' ? component : `${component}-${kebab(local)}`
  const found = /^[A-Z]/.test(local) ? kebab(local) : own
  const owner = owners.get(found) ?? path
  if (owner !== path) throw new Error(`.${found} is of ${owner} and of ${path}: rename one of the two`)
  owners.set(found, path)
  return found
}

const DIST = join(ROOT, 'dist')
const STAMP = join(DIST, '.stamp')
/** What the build reads. */
const SOURCES = [
  'index.html',
  'vite.config.ts',
  'server/brand.ts',
  'server/cli/chunks.ts',
  'server/cli/building.ts',
  'server/cli/prerender.ts',
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

// What stands before anything is served from this folder: a folder for the data, and the screens built.

/** Ends the process with one sentence where it cannot be. */
export function makeReady(): void {
  try {
    // Before the build: a wrong value or folder should not take half a minute to show.
    makeFolder(readConfig(process.env).data_dir)
  } catch (error) {
    console.error(sentenceOf(error, process.env) ?? error)
    process.exit(1)
  }
  if (process.env['DIST_DIR'] !== undefined || isBuilt()) return
  console.log('正在建置畫面，第一次約需幾秒…')
  const code = build()
  if (code !== 0) {
    console.error('建置失敗，原因如上。')
    process.exit(code)
  }
}

// The server in one file: what a start reads is found, linked and freed of its types once, not with every start
// (docs/decisions/house.md).

const FOLDER = join(ROOT, 'node_modules/.cache/server')
const SERVED = ['server', 'contract', 'trading', 'package.json', 'package-lock.json']
/** Of versions before; one may still run. */
const KEPT = 3
/** Nobody takes so long to make one. */
const DRAFT_MS = 3_600_000

/** The file that serves: the one made of the sources as they are. It is made when it is not there; where that fails, the sources serve. */
export function serverFile(): string {
  const name = hashOf(SERVED).slice(0, 32)
  const file = join(FOLDER, name, 'main.js')
  if (existsSync(file) || made(name)) return file
  return join(ROOT, 'server/main.ts')
}

function made(name: string): boolean {
  const draft = join(FOLDER, `${name}-${process.pid}`)
  try {
    mkdirSync(FOLDER, { recursive: true })
    const bundle = [join(ROOT, 'server/cli/bundle.ts'), draft]
    const { status, stderr } = spawnSync(process.execPath, bundle, { cwd: ROOT, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    renameSync(draft, join(FOLDER, name))
    clear(name)
    return true
  } catch (error) {
    // Whoever made it at the same moment was quicker.
    if (existsSync(join(FOLDER, name, 'main.js'))) return true
    // A folder that nobody may write to is no reason not to serve: a start is a third of a second longer, and no more.
    console.warn(`伺服器沒有併成一個檔案，直接從原始碼啟動：${(error as Error).message.trim()}`)
    return false
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Removes what was made of older sources, and what a stop left half made. */
function clear(newest: string): void {
  const made_at = (name: string) => statSync(join(FOLDER, name)).mtimeMs
  const others = readdirSync(FOLDER).filter((name) => name !== newest)
  const drafts = others.filter((name) => name.includes('-') && Date.now() - made_at(name) > DRAFT_MS)
  const older = others.filter((name) => !name.includes('-')).sort((a, b) => made_at(b) - made_at(a))
  for (const name of [...drafts, ...older.slice(KEPT)])
    rmSync(join(FOLDER, name), { recursive: true, force: true })
}
