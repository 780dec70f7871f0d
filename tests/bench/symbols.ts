// 46,000 securities in Big5 as the exchanges publish them: how long the import takes, and a search among all of them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importSymbols } from '#server/market/import.ts'
import { readMarketFile, symbolsOf } from '#server/market/symbols-file.ts'
import { builtIn } from '#trading/listings.ts'
import { big5 } from '../support/big5.ts'
import { percentile, report, round } from './figures.ts'

const WARRANTS = 43_700
const SEARCHES = 400

/** A page of ISIN codes with everything that is built in, and warrants until there are 46,000 rows. */
function published(): Uint8Array {
  const head =
    '最近更新日期:2026/11/20\n有價證券代號及名稱,國際證券辨識號碼(ISIN Code),上市日,市場別,產業別,CFICode,備註\n'
  const rows = builtIn().all.map(
    ({ symbol, name, market }) =>
      `"${symbol}　${name.replace(/[^\u3400-\u9fff\w+&.*-]/g, '')}",TW000${symbol},2003/06/30,${market === 'twse' ? '上市' : '上櫃'},,,`,
  )
  const names = ['台積電', '鴻海', '聯發科', '長榮', '元大台灣50']
  for (let n = 0; n < WARRANTS; n++) {
    const code = n % 3 === 0 ? `${String(30_000 + n).padStart(5, '0')}P` : String(30_000 + n).padStart(6, '0')
    rows.push(
      `"${code}　${names[n % names.length]}群益${n % 97}購${n % 89}",TW26Z${n},2026/06/22,上市,,RWSCCE,`,
    )
  }
  const text = `${head}${rows.join('\n')}\n`
  const known: string[] = []
  for (const line of text.split('\n')) {
    try {
      big5(line)
      known.push(line)
    } catch {
      known.push(line.replace(/[^\p{ASCII}　上市櫃]/gu, '甲'))
    }
  }
  return big5(known.join('\n'))
}

/** Measures and reports the import, and reading and searching what it wrote. */
export async function symbols(): Promise<void> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-bench-'))
  const file = join(data_dir, 'C_public.csv')
  writeFileSync(file, published())
  let worked_us = 0
  const timed = <T>(work: () => T): [T, number] => {
    const [from, worked] = [performance.now(), process.cpuUsage()]
    const value = work()
    const ms = performance.now() - from
    const { user, system } = process.cpuUsage(worked)
    worked_us = user + system
    return [value, ms]
  }
  const [{ total, files }, imported_ms] = timed(() => importSymbols({ data_dir, files: [file], force: true }))
  const import_worked_ms = worked_us / 1000
  const [{ directory }, read_ms] = timed(() =>
    symbolsOf(readMarketFile(join(data_dir, 'market', 'symbols.json'))),
  )
  rmSync(data_dir, { recursive: true })
  const words = ['2330', '台', '台積', '03', '0', '群益', '購7', '沒有這一檔', '00', '長榮']
  const each = Array.from(
    { length: SEARCHES },
    (_, n) => timed(() => directory.search(words[n % words.length] as string, 8))[1],
  )
  const search = { p50_ms: round(percentile(each, 0.5)), p99_ms: round(percentile(each, 0.99)) }
  report(
    'symbols',
    `${files[0]?.rows.toLocaleString('en-US')} rows (Big5) in ${round(imported_ms)} ms (${round(import_worked_ms)} ms of processor) · ${total.toLocaleString('en-US')} read back in ${round(read_ms)} ms · a search p50 ${search.p50_ms} ms, p99 ${search.p99_ms} ms`,
    { total, imported_ms, import_worked_ms, read_ms, search },
  )
}
