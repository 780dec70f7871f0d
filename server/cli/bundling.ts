// The server in one file: what a start reads is found, linked and freed of its types once, not with every start
// (docs/decisions/house.md).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../config.ts'
import { hashOf } from './building.ts'

const FOLDER = join(ROOT, 'node_modules/.cache/server')
const SOURCES = ['server', 'contract', 'trading', 'package.json', 'package-lock.json']
/** Of versions before; one may still run. */
const KEPT = 3
/** Nobody takes so long to make one. */
const DRAFT_MS = 3_600_000

/** The file that serves: the one made of the sources as they are. It is made when it is not there; where that fails, the sources serve. */
export function serverFile(): string {
  const name = hashOf(SOURCES).slice(0, 32)
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
