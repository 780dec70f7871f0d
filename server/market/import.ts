// The exchanges' lists into DATA_DIR/market/symbols.json: everything is read and checked first, then the file is written beside and renamed.
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Listing } from '#trading/listings.ts'
import { STOCK_MARKET_NAMES, type StockMarket } from '#trading/tables.ts'
import { makeFolder } from '../make-folder.ts'
import { csvRows, decodeList, type Encoding, UnreadableLine } from './csv.ts'
import { readMarketFile } from './lines.ts'
import { isPage, pageRows } from './page.ts'
import { type Published, readPublished } from './published.ts'
import { GROUPS, partOf, type SymbolsPart, symbolsOf, symbolsText } from './symbols-file.ts'

/** Of a part that had so many or more, so much may be gone without `force`. */
const MANY = 50
const LOST_MOST = 0.2
const TOLD_MOST = 20

export interface ImportWish {
  data_dir: string
  files: readonly string[]
  market?: Listing['market'] | null
  /** The day of the lists, where they do not say it. */
  listed_on?: string | null
  force?: boolean
}

export interface PartReport {
  part: string
  listed_on: string
  source: string
  read: number
  added: Listing[]
  changed: { before: Listing; now: Listing }[]
  dropped: Listing[]
}
export interface ImportReport {
  files: { file: string; encoding: Encoding; rows: number; left_out: number }[]
  parts: PartReport[]
  total: number
  path: string
}

/** Why nothing was changed: a sentence per line. */
export class ImportRefused extends Error {}

interface Source extends Published {
  file: string
  encoding: Encoding
  rows: number
  day: string
}

/** Reads all files and replaces the parts they are about; throws `ImportRefused`, and then nothing has changed. */
export function importSymbols(wish: ImportWish): ImportReport {
  const sources = wish.files.map((file) => readSource(file, wish))
  const problems = sources.flatMap(({ file, broken }) =>
    broken.map(({ line, problem }) => `${file} 第 ${line} 行：${problem}`),
  )
  const found = new Map<string, { one: Listing; source: Source }>()
  for (const source of sources)
    for (const one of source.listings) {
      const before = found.get(one.symbol)
      if (before && before.one.name !== one.name)
        problems.push(
          `${one.symbol} 在 ${before.source.file} 是「${before.one.name}」，在 ${source.file} 是「${one.name}」`,
        )
      if (!before || before.source.day < source.day)
        found.set(one.symbol, { one: withDay(one, before?.one), source })
      else found.set(one.symbol, { ...before, one: withDay(before.one, one) })
    }
  if (problems.length > 0) throw new ImportRefused(told(problems))
  if (found.size === 0) throw new ImportRefused('檔案裡沒有任何證券，清單沒有變動')
  const path = join(wish.data_dir, 'market', 'symbols.json')
  const before = symbolsOf(readMarketFile(path))
  const parts = reports([...found.values()], before.directory.all)
  if (!wish.force) refuseLosses(parts)
  const renewed = new Set(parts.map(({ part }) => part))
  const kept = before.directory.all.filter((one) => !renewed.has(partOf(one)) && !found.has(one.symbol))
  const news = [...found.values()].map(({ one }) => withDay(one, before.directory.find(one.symbol)))
  const list = [...kept, ...news].sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
  const dated: Record<string, SymbolsPart> = { ...before.parts }
  for (const { part, listed_on, source } of parts) dated[part] = { listed_on, source }
  write(path, symbolsText(list, dated))
  return {
    files: sources.map(({ file, encoding, rows, left_out }) => ({ file, encoding, rows, left_out })),
    parts,
    total: list.length,
    path,
  }
}

/** Quotes of a day say no day of listing: what another list of the same market said stays. */
function withDay(one: Listing, other: Listing | undefined): Listing {
  const said = other?.market === one.market ? other.listed_on : undefined
  return one.listed_on === undefined && said !== undefined ? { ...one, listed_on: said } : one
}

function told(problems: readonly string[]): string {
  const more = problems.length - TOLD_MOST
  return [
    ...problems.slice(0, TOLD_MOST),
    ...(more > 0 ? [`…還有 ${more} 處`] : []),
    '沒有匯入任何資料，清單和原來一樣。請修正檔案後再匯入一次',
  ].join('\n')
}

function readSource(file: string, { market, listed_on }: ImportWish): Source {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new ImportRefused(`讀不到 ${file}：請確認檔名與讀取權限`, { cause: error })
  }
  try {
    refuseOther(file, bytes)
    const { text, encoding } = decodeList(bytes)
    const { rows, unclosed } = isPage(text) ? { rows: pageRows(text), unclosed: null } : csvRows(text)
    const read = readPublished(rows, market ?? marketByName(basename(file)))
    if (unclosed !== null) read.broken.push({ line: unclosed, problem: '引號沒有結尾' })
    // saved today, whatever day it is of: said in the report
    const day = listed_on ?? read.listed_on ?? statSync(file).mtime.toISOString().slice(0, 10)
    return { ...read, file: basename(file), encoding, rows: rows.length, day }
  } catch (error) {
    if (!(error instanceof UnreadableLine)) throw error
    throw new ImportRefused(
      `${file} 第 ${error.line} 行：不是 UTF-8 也不是 Big5，讀不出來。沒有匯入任何資料，請重新下載或另存成 UTF-8`,
    )
  }
}

/** What is no list of rows at all says so in one sentence, not as a column that is missing. */
function refuseOther(file: string, bytes: Uint8Array): void {
  const start = String.fromCharCode(...bytes.subarray(0, 4))
  const what = start.startsWith('PK') || start === '\xd0\xcf\x11\xe0' ? '試算表' : null
  if (what) throw new ImportRefused(`${file} 是${what}檔，不是 CSV：請在試算表另存成 CSV（UTF-8）再匯入`)
  if (/^(\xef\xbb\xbf)?\s*[[{]/.test(start))
    throw new ImportRefused(`${file} 是 JSON，不是 CSV：請改下載同一份資料的 CSV`)
}

/** Names of files as the exchanges give them: t187ap03_L, …_O, …_R; or with the market in them. */
function marketByName(name: string): Listing['market'] | null {
  if (/上櫃|tpex|otc|_O\b|_O\.|strMode=4|RSTA\d|SQUOTE/i.test(name)) return 'tpex'
  if (/興櫃|emerging|_R\b|_R\.|strMode=5/i.test(name)) return 'emerging'
  return /上市|twse|tse|_L\b|_L\.|STOCK_DAY|MI_INDEX|strMode=2/i.test(name) ? 'twse' : null
}

function reports(
  found: readonly { one: Listing; source: Source }[],
  before: readonly Listing[],
): PartReport[] {
  const known = new Map(before.map((one) => [one.symbol, one]))
  const now = new Set(found.map(({ one }) => one.symbol))
  return [...Map.groupBy(found, ({ one }) => partOf(one))]
    .map(([part, rows]) => {
      const news = rows.map(({ one }) => one)
      const sources = [...new Set(rows.map(({ source }) => source))]
      return {
        part,
        listed_on: sources.map(({ day }) => day).sort()[0] as string,
        source: sources.map(({ file }) => file).join('、'),
        read: news.length,
        added: news.filter(({ symbol }) => !known.has(symbol)),
        changed: news.flatMap((one) => {
          const old = known.get(one.symbol)
          return old && (old.name !== one.name || partOf(old) !== part) ? [{ before: old, now: one }] : []
        }),
        dropped: before.filter((one) => partOf(one) === part && !now.has(one.symbol)),
      }
    })
    .sort((a, b) => (a.part < b.part ? 1 : -1))
}

/** 上市 股票 of `twse stock`. */
export function partWords(part: string): string {
  const [market, group] = part.split(' ') as [StockMarket, keyof typeof GROUPS]
  return `${STOCK_MARKET_NAMES[market]}${GROUPS[group]}`
}

/** A list that lost many is more often cut off than true. Warrants end by the hundred every week. */
function refuseLosses(parts: readonly PartReport[]): void {
  const lost = parts.filter(({ part, read, added, dropped }) => {
    const was = read - added.length + dropped.length
    return !part.endsWith(' warrant') && was >= MANY && dropped.length > LOST_MOST * was
  })
  if (lost.length === 0) return
  const words = lost.map(
    ({ part, dropped, read }) => `${partWords(part)}會少掉 ${dropped.length} 檔（檔案裡只有 ${read} 檔）`,
  )
  throw new ImportRefused(
    `${words.join('\n')}\n檔案可能不完整，所以沒有匯入任何資料。確定沒錯時，加上 --force 再匯入一次`,
  )
}

function write(path: string, text: string): void {
  makeFolder(join(path, '..'))
  const beside = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(beside, text, { mode: 0o600, flush: true })
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}
