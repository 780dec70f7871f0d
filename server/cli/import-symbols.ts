// npm run import:symbols -- <CSV…>: the exchanges' lists of securities, into DATA_DIR/market/symbols.json.
import type { Listing } from '#trading/listings.ts'
import { STOCK_MARKET_NAMES } from '#trading/tables.ts'
import { readConfig } from '../config.ts'
import { ImportRefused, type ImportReport, importSymbols, partWords } from '../market/import.ts'
import { ENCODINGS, partOf } from '../market/symbols-file.ts'
import { sentenceOf } from '../start-errors.ts'
import { wordsOf } from './words.ts'

const USAGE = `用法：npm run import:symbols -- <CSV 檔…> [--market=twse|tpex|emerging] [--date=YYYY-MM-DD] [--force]
  --market  檔案沒有市場別時，說它是上市、上櫃或興櫃
  --date    檔案沒有日期時，說它是哪一天的
  --force   清單少了兩成以上也照樣匯入`
const SHOWN = 5

function main(): number {
  process.umask(0o077)
  const words = wordsOf(
    {
      allowPositionals: true,
      options: { market: { type: 'string' }, date: { type: 'string' }, force: { type: 'boolean' } },
    },
    USAGE,
  )
  if (!words) return 1
  const { values, positionals } = words
  const { market = null, date = null, force = false } = values
  const known = market === null || Object.hasOwn(STOCK_MARKET_NAMES, market)
  if (positionals.length === 0 || !known || (date !== null && !isDay(date))) {
    console.error(USAGE)
    return 1
  }
  const { data_dir } = readConfig(process.env)
  const began = performance.now()
  const report = importSymbols({
    data_dir,
    files: positionals,
    market: market as Listing['market'] | null,
    listed_on: date,
    force,
  })
  for (const line of linesOf(report)) console.log(line)
  console.log(
    `共 ${report.total.toLocaleString('en-US')} 檔，寫在 ${report.path}（${Math.round(performance.now() - began)} 毫秒）。執行中的伺服器十秒內會換用新的清單`,
  )
  return 0
}

/** A day that there is. */
const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true

function linesOf({ files, parts }: ImportReport): string[] {
  const read = files.map(
    ({ file, encoding, rows, left_out }) =>
      `讀入 ${file}：${rows.toLocaleString('en-US')} 列（${ENCODINGS[encoding]}）${left_out > 0 ? `，其中 ${left_out} 列是這裡不收的種類` : ''}`,
  )
  return [
    ...read,
    ...parts.flatMap(({ part, listed_on, source, read: count, added, changed, dropped }) => [
      `${partWords(part)}（${listed_on}，${source}）：${count} 檔，新增 ${added.length}、變更 ${changed.length}、移除 ${dropped.length}`,
      ...some(
        '新增',
        added.map(({ symbol, name }) => `${symbol} ${name}`),
      ),
      ...some(
        '變更',
        changed.map(
          ({ before, now }) =>
            `${now.symbol} ${before.name === now.name ? `${now.name}（${partWords(partOf(before))} → ${partWords(partOf(now))}）` : `${before.name} → ${now.name}`}`,
        ),
      ),
      ...some(
        '移除',
        dropped.map(({ symbol, name }) => `${symbol} ${name}`),
      ),
    ]),
  ]
}

function some(word: string, list: readonly string[]): string[] {
  if (list.length === 0) return []
  return [
    `  ${word}：${list.slice(0, SHOWN).join('、')}${list.length > SHOWN ? ` …等 ${list.length} 檔` : ''}`,
  ]
}

try {
  process.exitCode = main()
} catch (error) {
  const own = error instanceof ImportRefused ? error.message : sentenceOf(error, process.env, '再匯入一次')
  console.error(own ?? error)
  process.exitCode = 1
}
