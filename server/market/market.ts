// The tables and the list of symbols this server goes by: read at the start, which they can stop, and again when a file changed.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameStocks } from '#trading/products.ts'
import { BUILT_IN, layTables, type Tables, tables, type Unlimited } from '#trading/tables.ts'
import type { App } from '../context.ts'
import { settingsOf } from '../db/query.ts'
import { readCalendar } from '../record/calendar.ts'
import { hoursOf, productsOf, taxesOf, ticksOf, unlimitedOf } from './dated-files.ts'
import {
  MarketFileError,
  oddTypes,
  readMarketFile,
  type Symbols,
  stampOf,
  symbolsOf,
} from './symbols-file.ts'

declare module '../context.ts' {
  interface App {
    /** The market's files of this server. */
    readonly market: Market
  }
}

const FILES = [
  'products.json',
  'ticks.json',
  'sessions.json',
  'taxes.json',
  'limits.json',
  'symbols.json',
] as const
const EVERY_MS = 10_000

interface Read {
  tables: Tables
  symbols: Symbols
  /** Not among the tables: what is folded does not hang on it. */
  unlimited: readonly Unlimited[]
}

/** What the files of a data directory say; throws a `MarketFileError`. */
export function readMarket(data_dir: string): Read {
  const file = (name: (typeof FILES)[number]) => readMarketFile(join(data_dir, 'market', name))
  const hours = hoursOf(file('sessions.json'), BUILT_IN.hours)
  const symbols = symbolsOf(file('symbols.json'))
  const laid: Omit<Tables, 'key'> = {
    products: productsOf(file('products.json'), BUILT_IN.products, hours),
    ticks: ticksOf(file('ticks.json'), BUILT_IN.ticks),
    hours,
    taxes: taxesOf(file('taxes.json'), BUILT_IN.taxes),
    types: oddTypes(symbols.directory),
  }
  return { tables: keyed(laid), symbols, unlimited: unlimitedOf(file('limits.json')) }
}

/** With their key; what is as built in is what is built in, and nobody folds anything again. */
function keyed(laid: Omit<Tables, 'key'>): Tables {
  const { key: _none, ...built_in } = BUILT_IN
  const text = JSON.stringify(laid)
  if (text === JSON.stringify(built_in)) return BUILT_IN
  return { key: createHash('sha256').update(text).digest('hex').slice(0, 12), ...laid }
}

export interface Market {
  /** Every security known here. */
  symbols(): Symbols
  /** The ETFs that have no price limits. */
  unlimited(): readonly Unlimited[]
  /** Reads what has changed, as it does by itself every ten seconds. */
  look(): Promise<void>
  stop(): Promise<void>
}

/** Reads the files and puts them into force; throws when one is wrong or lacks a product that a strategy trades. */
export async function keepMarket(
  { config, db, log }: Pick<App, 'config' | 'db' | 'log'>,
  every_ms = EVERY_MS,
): Promise<Market> {
  const { data_dir } = config
  checkClosedDays(data_dir)
  let now = await readFor(data_dir, db)
  layMarket(now)
  let stamp = stampsOf(data_dir)
  const read = async () => {
    const other = stampsOf(data_dir)
    if (other === stamp) return
    stamp = other
    try {
      now = await readFor(data_dir, db)
      layMarket(now)
      log.info({ tables: now.tables.key, symbols: now.symbols.directory.all.length }, 'market tables read')
    } catch (error) {
      log.error(
        { err: error instanceof MarketFileError ? undefined : error },
        `市場資料有誤，沿用先前的：${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
  let running = Promise.resolve()
  const look = () => {
    running = running.then(read)
    return running
  }
  const timer = setInterval(() => void look(), every_ms)
  timer.unref()
  return {
    symbols: () => now.symbols,
    unlimited: () => now.unlimited,
    look,
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

/** Puts them into force in this process. */
function layMarket({ tables: laid, symbols }: Read): void {
  if (tables().key !== laid.key) layTables(laid)
  nameStocks((symbol) => symbols.directory.find(symbol)?.name)
}

function stampsOf(data_dir: string): string {
  return FILES.map((name) => stampOf(join(data_dir, 'market', name))).join()
}

async function readFor(data_dir: string, db: App['db']): Promise<Read> {
  const read = readMarket(data_dir)
  const known = new Set(read.tables.products.map(({ code }) => code))
  const rows = await db
    .selectFrom('strategies')
    .select(['kind', 'settings'])
    .distinct()
    .where('kind', '=', 'futures')
    .execute()
  const traded = rows
    .map(settingsOf)
    .flatMap(({ settings }) => ('product_code' in settings ? settings.product_code : []))
  const gone = [...new Set(traded)].filter((code) => !known.has(code))
  if (gone.length > 0)
    throw new MarketFileError(
      join(data_dir, 'market', 'products.json'),
      null,
      `有策略在交易 ${gone.join('、')}，但沒有這個商品`,
      '請把它寫回檔案再啟動',
    )
  return read
}

/** The closed days have their own way of changing while the server runs; a start is stopped by a wrong file, too. */
function checkClosedDays(data_dir: string): void {
  const path = join(data_dir, 'market', 'closed-days.json')
  if (stampOf(path) === '') return
  try {
    readCalendar(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new MarketFileError(path, null, error instanceof Error ? error.message : String(error))
  }
}
