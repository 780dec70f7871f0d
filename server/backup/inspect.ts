// Reads a backup through without touching anything: whether it is whole, and whether this program knows what is in it.
import { knownMigrations } from '../db/migrate.ts'
import { Chains } from './chains.ts'
import {
  BadBackup,
  type End,
  FORMAT,
  FORMAT_VERSION,
  fileOf,
  type Manifest,
  readEntries,
  rowsOf,
  tableOf,
} from './format.ts'
import { chainNote } from './write.ts'

const KNOWN = new Set(['manifest.json', 'end.json'])

/** What a backup holds; throws in Chinese when it is damaged, cut off, or of a newer version. */
export async function inspectBackup(path: string): Promise<{ manifest: Manifest; end: End }> {
  try {
    return await lookThrough(path)
  } catch (error) {
    // What was spoiled is read before the checksum at its end is: it need not be JSON any more.
    if (error instanceof SyntaxError || error instanceof TypeError)
      throw new BadBackup(`備份檔 ${path} 的內容已損壞，讀不懂`, { cause: error })
    throw error
  }
}

async function lookThrough(path: string): Promise<{ manifest: Manifest; end: End }> {
  let manifest: Manifest | undefined
  let end: End | undefined
  const chains = new Chains()
  const rows: Record<string, number> = {}
  for await (const { path: name, data } of readEntries(path)) {
    if (name === 'manifest.json') manifest = understand(path, JSON.parse(data.toString('utf8')) as Manifest)
    else if (name === 'end.json') end = JSON.parse(data.toString('utf8')) as End
    if (!manifest) throw notOurs(path)
    const table = manifest.tables.find((one) => one.name === tableOf(name))
    if (!table) {
      if (!KNOWN.has(name) && !fileOf(name))
        throw new BadBackup(
          `備份檔 ${path} 裡有不認得的內容「${name}」，不是 npm run backup 做出來的樣子；沒有更動任何資料`,
        )
      continue
    }
    const list = rowsOf(data)
    rows[table.name] = (rows[table.name] ?? 0) + list.length
    const note = chainNote(table, chains)
    for (const row of list) note?.(row)
  }
  if (!manifest || !end) throw new BadBackup(`備份檔 ${path} 沒有結尾，備份當時可能中斷了`)
  const told = end
  const wrong = manifest.tables.filter(({ name }) => (rows[name] ?? 0) !== told.rows[name])
  if (wrong.length > 0) throw new BadBackup(`備份檔 ${path} 的 ${wrong[0]?.name} 筆數不符，已損壞`)
  if (chains.broken().join() !== end.broken.join())
    throw new BadBackup(`備份檔 ${path} 的雜湊鏈與備份時不同，已損壞`)
  return { manifest, end }
}

const notOurs = (path: string) =>
  new BadBackup(`${path} 不是凌波的備份檔。請給 npm run backup 做出來的那個檔案（.tgz）；沒有更動任何資料`)

function understand(path: string, manifest: Manifest): Manifest {
  if (manifest.format !== FORMAT) throw notOurs(path)
  const names = manifest.tables.flatMap(({ name, columns }) => [name, ...columns])
  if (!names.every((name) => /^\w+$/.test(name))) throw notOurs(path)
  const known = knownMigrations()
  const newer = manifest.migrations.filter((name) => !known.includes(name))
  if (manifest.version > FORMAT_VERSION || newer.length > 0)
    throw new BadBackup(`備份檔 ${path} 是較新版本的凌波做的，這一版不認得。請改用那個版本或更新的`)
  return manifest
}
