// What a backup is: a gzipped tar with its manifest first, every table as lines of JSON, keys and images, and its end last.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import type { Kysely } from 'kysely'
import { GENESIS, linkText } from '#trading/chain.ts'
import type { Schema } from '../db/schema.ts'

// Tar as every system reads it (ustar), written and read piece by piece: no entry but the one at hand is in memory.
const BLOCK = 512
/** Ours are far smaller; what claims more is no backup of ours. */
const ENTRY_MOST = 256 * 1024 * 1024

/** Its end is missing. */
const CUT_OFF = 'tar: cut off'

interface TarEntry {
  readonly path: string
  readonly data: Buffer
}

/** The bytes of one entry. */
export function tarEntry({ path, data }: TarEntry, at_ms: number): Buffer {
  const name = Buffer.from(path)
  if (name.length > 100) throw new Error(`tar: name too long: ${path}`)
  const head = Buffer.alloc(BLOCK)
  const octal = (value: number, from: number, size: number) =>
    head.write(`${value.toString(8).padStart(size - 1, '0')}\0`, from)
  name.copy(head)
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(data.length, 124, 12)
  octal(Math.floor(at_ms / 1_000), 136, 12)
  head.write('        0', 148)
  head.write('ustar\x0000', 257)
  let sum = 0
  for (const byte of head) sum += byte
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([head, data, Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK)])
}

/** What stands after the last entry. */
export const TAR_END: Buffer = Buffer.alloc(2 * BLOCK)

/** The entries of a tar in order; throws when it ends in the middle of one. */
async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry & { raw: Buffer }> {
  let held = Buffer.alloc(0)
  let parts: Buffer[] = []
  let size = 0
  const source = chunks[Symbol.asyncIterator]()
  const take = async (wanted: number): Promise<Buffer> => {
    parts = [held]
    size = held.length
    while (size < wanted) {
      const { value, done } = await source.next()
      if (done) throw new Error(CUT_OFF)
      parts.push(value)
      size += value.length
    }
    const all = parts.length === 1 ? held : Buffer.concat(parts)
    held = all.subarray(wanted)
    return all.subarray(0, wanted)
  }
  for (;;) {
    const head = await take(BLOCK)
    if (head.every((byte) => byte === 0)) {
      // What comes after is looked at by whoever unpacks: a shortened file shows only there.
      while (!(await source.next()).done);
      return
    }
    const text = (from: number, to: number) => head.toString('latin1', from, to).replace(/\0.*$/s, '')
    const length = Number.parseInt(text(124, 136), 8)
    if (text(257, 262) !== 'ustar' || !(length >= 0 && length <= ENTRY_MOST))
      throw new Error('tar: not one of ours')
    const body = await take(Math.ceil(length / BLOCK) * BLOCK)
    yield { path: text(0, 100), data: body.subarray(0, length), raw: Buffer.concat([head, body]) }
  }
}

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

// Whether the chains of all strategies hold: fed with the strategies, then with their records in the order of each chain.

interface Head {
  readonly seq: number
  readonly hash: string
  readonly deleted: boolean
}
export interface KeptLink {
  readonly strategy_id: string
  readonly chain_seq: number
  readonly prev_hash: string
  readonly hash: string
  readonly facts: string
}

export class Chains {
  readonly #heads = new Map<string, Head>()
  readonly #at = new Map<string, { seq: number; hash: string }>()
  readonly #broken = new Set<string>()

  strategy(id: string, chain_seq: number, chain_hash: string, deleted_at: string | null): void {
    this.#heads.set(id, { seq: chain_seq, hash: chain_hash, deleted: deleted_at !== null })
  }

  link({ strategy_id, chain_seq, prev_hash, hash, facts }: KeptLink): void {
    const before = this.#at.get(strategy_id) ?? this.#first(strategy_id, chain_seq, prev_hash)
    const made = createHash('sha256').update(linkText(prev_hash, facts)).digest('hex')
    if (chain_seq !== before.seq + 1 || prev_hash !== before.hash || made !== hash)
      this.#broken.add(strategy_id)
    this.#at.set(strategy_id, { seq: chain_seq, hash })
  }

  /** The strategies whose chain does not hold, or does not end where the strategy says. */
  broken(): string[] {
    for (const [id, head] of this.#heads) {
      const at = this.#at.get(id) ?? { seq: 0, hash: GENESIS }
      // Of a strategy that was deleted the records may be gone, wholly or as far as the erasing has come.
      if (!head.deleted && (at.seq !== head.seq || at.hash !== head.hash)) this.#broken.add(id)
    }
    return [...this.#broken].sort()
  }

  #first(id: string, chain_seq: number, prev_hash: string): { seq: number; hash: string } {
    return this.#heads.get(id)?.deleted ? { seq: chain_seq - 1, hash: prev_hash } : { seq: 0, hash: GENESIS }
  }
}

const LINKS_AT_ONCE = 500

/** The strategies whose chain does not hold; page by page, and others get their turn after each. */
export async function brokenChains(
  db: Kysely<Schema>,
  between: () => Promise<unknown> = () => Promise.resolve(),
) {
  const chains = new Chains()
  const strategies = await db
    .selectFrom('strategies')
    .select(['id', 'chain_seq', 'chain_hash', 'deleted_at'])
    .execute()
  for (const { id, chain_seq, chain_hash, deleted_at } of strategies) {
    chains.strategy(id, chain_seq, chain_hash, deleted_at)
    for (let after = 0; ; ) {
      const rows = await db
        .selectFrom('signals')
        .select(['strategy_id', 'chain_seq', 'prev_hash', 'hash', 'facts'])
        .where('strategy_id', '=', id)
        .where('chain_seq', '>', after)
        // What came after the look at the heads is judged by the next look.
        .where('chain_seq', '<=', chain_seq)
        .orderBy('chain_seq')
        .limit(LINKS_AT_ONCE)
        .execute()
      for (const row of rows) chains.link(row)
      await between()
      if (rows.length < LINKS_AT_ONCE) break
      after = rows.at(-1)?.chain_seq ?? 0
    }
  }
  return chains.broken()
}
