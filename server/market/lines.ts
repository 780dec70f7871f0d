// A file of the administrator's, and how its faults are told: which file, which line, what to do.
import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'

/** What is wrong with a file, as a sentence for whoever wrote it. */
export class MarketFileError extends Error {
  constructor(file: string, line: number | null, problem: string, fix = '修正後再啟動，或先把這個檔案移走') {
    super(`市場資料檔 ${file}${line === null ? '' : ` 第 ${line} 行`}：${problem}。${fix}`)
    this.name = 'MarketFileError'
  }
}

/** YYYY-MM-DD of a day that there is. */
export const isDay = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(`${value}T00:00:00Z`).toISOString().startsWith(value)

/** One file of DATA_DIR/market. */
export interface MarketFile {
  readonly path: string
  readonly name: string
  readonly text: string
}

/** The file's text; null when it is not there. */
export function readMarketFile(path: string): MarketFile | null {
  if (stampOf(path) === '') return null
  return { path, name: basename(path), text: readFileSync(path, 'utf8').replace(/^\uFEFF/, '') }
}

/** Tells whether a file is still the one that was read; empty = no file. */
export function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found ? `${found.mtimeNs}|${found.size}|${found.ino}` : ''
}

/** Its JSON. */
export function jsonOf({ path, text }: MarketFile): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const at = /position (\d+)/.exec(String(error))
    // a text that stops short says no position: it is its end
    const line = lineAt(text, at ? Number(at[1]) : text.length)
    throw new MarketFileError(path, line, '不是正確的 JSON（少了逗號、引號或括號）')
  }
}

/** The line (from 1) of a place in a text. */
export function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

/** The line on which a value stands for the n-th time (from 0) under a key; null when it is not written like that. */
export function lineOf({ text }: MarketFile, key: string, value: string, nth = 0): number | null {
  const found = [...text.matchAll(new RegExp(`"${key}"\\s*:\\s*"${value.replace(/[^\w-]/g, '\\$&')}"`, 'g'))]
  const at = found[nth]?.index
  return at === undefined ? null : lineAt(text, at)
}

/** An object of the file with the keys it may have; `where` says which one it is. */
export function fieldsOf(
  file: MarketFile,
  value: unknown,
  allowed: readonly string[],
  where: string,
  line: number | null,
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MarketFileError(file.path, line, `${where}要是一個 { … }`)
  for (const key of Object.keys(value))
    if (!allowed.includes(key))
      throw new MarketFileError(
        file.path,
        line ?? keyLine(file, key),
        `${where}有不認得的欄位 "${key}"，可以寫的是 ${allowed.join('、')}`,
      )
  return value as Record<string, unknown>
}

/** The line of a key's first appearance. */
export function keyLine({ text }: MarketFile, key: string): number | null {
  const at = text.indexOf(`"${key}"`)
  return at < 0 ? null : lineAt(text, at)
}

/** A list of the file. */
export function listOf(file: MarketFile, value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value))
    throw new MarketFileError(file.path, keyLine(file, where), `${where} 要是一個 [ … ]`)
  return value
}
