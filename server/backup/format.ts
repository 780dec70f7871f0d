// What a backup is: a gzipped tar with its manifest first, every table as lines of JSON, keys and images, and its end last.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { CUT_OFF, readTar, type TarEntry } from './tar.ts'

export const FORMAT = 'lingbo-backup'
export const FORMAT_VERSION = 1
/** Folders of DATA_DIR that go along. */
export const FOLDERS = ['keys', 'files', 'market'] as const
/** Who is signed in and what opens a door once (threat T35), and what belongs to this very database: none of it is in a backup. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['sessions', 'codes', 'password_resets', 'tickets', 'oidc_rows', 'binding_codes', 'guesses'],
  ...['ground', 'lineage', 'lineage_heads'],
  ...['kysely_migration', 'kysely_migration_lock'],
])

export interface TableOf {
  readonly name: string
  readonly columns: readonly string[]
}
export interface Manifest {
  readonly format: string
  readonly version: number
  readonly created_at: string
  /** The time that was believed then, ms since 1970; missing in older ones and where no server has looked yet. */
  readonly believed?: number
  readonly engine: 'sqlite' | 'postgres'
  /** Migrations that had run, in order. */
  readonly migrations: readonly string[]
  /** Parents before their children. */
  readonly tables: readonly TableOf[]
}
export interface End {
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
  /** Images that a row names and that were gone. */
  readonly missing: readonly string[]
  /** Strategies whose chain does not hold; they were so when the backup was made. */
  readonly broken: readonly string[]
  /** SHA-256 of everything before. */
  readonly sha256: string
}
export type Value = string | number | null
export type BackupRow = readonly Value[]

/** Thrown in Chinese: the file is no whole backup. */
export class BadBackup extends Error {}

/** Why a file could not be read, and what helps; `begun` once it looked like one of ours. Nothing was touched until then. */
function unreadable(path: string, error: unknown, begun: boolean): string {
  const { code = '', message = '' } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return `找不到備份檔 ${path}，請確認路徑`
  if (code === 'EISDIR') return `${path} 是資料夾。請給 npm run backup 做出來的那個檔案（.tgz）`
  if (/^(EACCES|EPERM)$/.test(code)) return `沒有權限讀取備份檔 ${path}`
  if (/^(EIO|ENXIO)$/.test(code)) return `備份檔 ${path} 所在的磁碟讀取出錯，請改用另一份複本`
  if (!begun && code !== 'Z_BUF_ERROR')
    return `${path} 不是凌波的備份檔。請給 npm run backup 做出來的那個檔案（.tgz）；沒有更動任何資料`
  if (code === 'Z_BUF_ERROR' || message === CUT_OFF)
    return `備份檔 ${path} 不完整，可能在備份、複製或下載時中斷。請重新複製，或改用另一份備份；沒有更動任何資料`
  return `備份檔 ${path} 的內容已損壞。請重新複製，或改用另一份備份；沒有更動任何資料`
}

/** Every entry in order, checked as a whole: the end is yielded only when everything before it is what was written. */
export async function* readEntries(path: string): AsyncGenerator<TarEntry> {
  const sum = createHash('sha256')
  let ended = false
  let begun = false
  const file = createReadStream(path)
  const plain = file.pipe(createGunzip())
  file.on('error', (error) => plain.destroy(error))
  try {
    for await (const entry of readTar(plain)) {
      begun = true
      if (entry.path === 'end.json') {
        ended = true
        if ((JSON.parse(entry.data.toString('utf8')) as End).sha256 !== sum.digest('hex'))
          throw new BadBackup(`備份檔 ${path} 的內容與它的檢查碼不符，已損壞`)
      } else sum.update(entry.raw)
      yield entry
    }
  } catch (error) {
    if (error instanceof BadBackup) throw error
    throw new BadBackup(unreadable(path, error, begun), { cause: error })
  } finally {
    file.destroy()
  }
  if (!ended) throw new BadBackup(`備份檔 ${path} 沒有結尾，備份當時可能中斷了`)
}

/** Folder and name of an entry that is a file of ours; null for what no backup of ours holds. */
export function fileOf(path: string): { folder: string; file: string } | null {
  const [, folder = '', file = ''] = /^(\w+)\/(?!\.\.?$)([\w.-]+)$/.exec(path) ?? []
  return (FOLDERS as readonly string[]).includes(folder) ? { folder, file } : null
}

export function rowsOf(data: Buffer): BackupRow[] {
  const text = data.toString('utf8')
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as BackupRow)
}

/** The table of an entry `tables/<name>/<number>.jsonl`, null for others. */
export function tableOf(path: string): string | null {
  return /^tables\/(\w+)\/\d+\.jsonl$/.exec(path)?.[1] ?? null
}
