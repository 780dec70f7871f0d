// DATA_DIR/market/ticks.json, sessions.json, taxes.json and limits.json: rows with the day they begin, laid over what is built in.
import type { Hours, ProductSession, TaxCut, TaxCuts, TickTable, Unlimited } from '#trading/tables.ts'
import {
  fieldsOf,
  isDay,
  jsonOf,
  keyLine,
  lineOf,
  listOf,
  type MarketFile,
  MarketFileError,
} from './symbols-file.ts'

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value)

/** Hours of a product or a market. */
export function tradingSessionsOf(
  file: MarketFile,
  value: unknown,
  where: string,
  line: number | null,
): ProductSession[] {
  const wrong = (problem: string) => new MarketFileError(file.path, line, `${where} ${problem}`)
  if (!Array.isArray(value) || value.length === 0) throw wrong('要是一個 [ … ]，至少有日盤')
  const kinds = new Set<unknown>()
  for (const one of value) {
    const { kind, from, to } = fieldsOf(file, one, ['kind', 'from', 'to'], where, line)
    if (kind !== 'day' && kind !== 'night') throw wrong('的 "kind" 要是 "day" 或 "night"')
    if (kinds.has(kind)) throw wrong(`的 ${kind} 寫了兩次`)
    kinds.add(kind)
    if (!isTime(from) || !isTime(to)) throw wrong('的 "from"、"to" 要寫成 "HH:mm"')
    if (kind === 'day' ? from >= to : from <= to)
      throw wrong(kind === 'day' ? '的日盤要在同一天開始與結束' : '的夜盤要在隔天結束')
  }
  if (!kinds.has('day')) throw wrong('少了日盤 {"kind": "day", …}')
  const sessions = value as ProductSession[]
  const [day, night] = (['day', 'night'] as const).map((kind) => sessions.find((one) => one.kind === kind))
  if (day && night && (night.from < day.to || night.to > day.from)) throw wrong('的日盤與夜盤重疊')
  return [day, night].filter((one) => one !== undefined).map(({ kind, from, to }) => ({ kind, from, to }))
}

/** {"futures": [...], "stock": [...]}: either may be left out. */
export function hoursOf(file: MarketFile | null, built_in: Hours): Hours {
  if (!file) return built_in
  const row = fieldsOf(file, jsonOf(file), ['futures', 'stock'], '檔案', null)
  const market = (key: keyof Hours) =>
    row[key] === undefined ? built_in[key] : tradingSessionsOf(file, row[key], `"${key}"`, keyLine(file, key))
  const hours = { futures: market('futures'), stock: market('stock') }
  if (hours.stock.some(({ kind }) => kind === 'night'))
    throw new MarketFileError(file.path, keyLine(file, 'stock'), '"stock" 沒有夜盤，請拿掉')
  if (!hours.futures.some(({ kind }) => kind === 'night'))
    throw new MarketFileError(
      file.path,
      keyLine(file, 'futures'),
      '"futures" 少了夜盤；只有日盤的商品請寫在 products.json',
    )
  return hours
}

/** [{"from": day, "stock": [[below, tick], …, [null, tick]], "etf": …}]; what is left out is as before that day. */
export function ticksOf(file: MarketFile | null, built_in: readonly TickTable[]): readonly TickTable[] {
  if (!file) return built_in
  const all = new Map(built_in.map((one) => [one.from, one]))
  for (const written of listOf(file, jsonOf(file), '檔案')) {
    const row = fieldsOf(file, written, ['from', 'stock', 'etf'], '一張檔位表', null)
    const { from } = row
    if (!isDay(from))
      throw new MarketFileError(file.path, keyLine(file, 'from'), '"from" 要是起算的日子，例如 "2026-06-01"')
    const line = lineOf(file, 'from', from)
    const before = [...all.values()].sort(byFrom).findLast((one) => one.from <= from) ?? built_in[0]
    const rows = (key: 'stock' | 'etf') =>
      row[key] === undefined
        ? (before as TickTable)[key]
        : stepsOf(file, row[key], `${from} 的 "${key}"`, line)
    all.set(from, { from, stock: rows('stock'), etf: rows('etf') })
  }
  return [...all.values()].sort(byFrom)
}

function stepsOf(
  file: MarketFile,
  value: unknown,
  where: string,
  line: number | null,
): [number | null, number][] {
  const wrong = (problem: string) => new MarketFileError(file.path, line, `${where} ${problem}`)
  if (!Array.isArray(value) || value.length === 0) throw wrong('要是 [[價格上限, 檔位], …, [null, 檔位]]')
  let last = 0
  value.forEach((one: unknown, i) => {
    const [below, tick, ...more] = Array.isArray(one) ? (one as unknown[]) : []
    const end = i === value.length - 1
    if (
      more.length > 0 ||
      typeof tick !== 'number' ||
      !(tick > 0) ||
      Math.abs(tick * 1e4 - Math.round(tick * 1e4)) > 1e-6
    )
      throw wrong(`第 ${i + 1} 列要寫成 [價格上限, 檔位]，檔位大於 0、至多四位小數`)
    if (end ? below !== null : typeof below !== 'number' || below <= last)
      throw wrong(end ? '最後一列的價格上限要是 null（以上都是）' : `第 ${i + 1} 列的價格上限要比前一列大`)
    last = typeof below === 'number' ? below : last
  })
  return value as [number | null, number][]
}

/** {"day_trade": [{"from", "until", "rate"}], "bond_etf": […]}, by the first day. */
export function taxesOf(file: MarketFile | null, built_in: TaxCuts): TaxCuts {
  if (!file) return built_in
  const row = fieldsOf(file, jsonOf(file), ['day_trade', 'bond_etf'], '檔案', null)
  const cuts = (key: keyof TaxCuts) =>
    row[key] === undefined ? built_in[key] : cutsOf(file, listOf(file, row[key], key), key, built_in[key])
  return { day_trade: cuts('day_trade'), bond_etf: cuts('bond_etf') }
}

function cutsOf(
  file: MarketFile,
  list: readonly unknown[],
  key: string,
  before: readonly TaxCut[],
): TaxCut[] {
  const all = new Map(before.map((one) => [one.from, one]))
  for (const written of list) {
    const { from, until, rate } = fieldsOf(file, written, ['from', 'until', 'rate'], `"${key}" 的一列`, null)
    const line = typeof from === 'string' ? lineOf(file, 'from', from) : keyLine(file, key)
    if (!isDay(from) || !isDay(until) || until < from)
      throw new MarketFileError(
        file.path,
        line,
        `"${key}" 的 "from"、"until" 要是日子，例如 "2027-12-31"，且不能倒過來`,
      )
    if (
      typeof rate !== 'number' ||
      rate < 0 ||
      rate > 0.01 ||
      Math.abs(rate * 1e4 - Math.round(rate * 1e4)) > 1e-6
    )
      throw new MarketFileError(file.path, line, `"${key}" 的 "rate" 要是 0–0.01、至多四位小數，例如 0.0015`)
    all.set(from, { from, until, rate })
  }
  const sorted = [...all.values()].sort(byFrom)
  for (const [i, one] of sorted.entries())
    if (i > 0 && one.from <= (sorted[i - 1] as TaxCut).until)
      throw new MarketFileError(
        file.path,
        lineOf(file, 'from', one.from) ?? keyLine(file, key),
        `"${key}" 裡 ${one.from} 起的一列與前一列重疊：前一列的 "until" 要早於它`,
      )
  return sorted
}

/** [{"from": day, "unlimited": ["00646", …]}]: ETFs of foreign constituents; a row replaces the one before it. Nothing is built in. */
export function unlimitedOf(file: MarketFile | null): readonly Unlimited[] {
  if (!file) return []
  const all = new Map<string, Unlimited>()
  for (const written of listOf(file, jsonOf(file), '檔案')) {
    const { from, unlimited } = fieldsOf(file, written, ['from', 'unlimited'], '一列', null)
    if (!isDay(from))
      throw new MarketFileError(file.path, keyLine(file, 'from'), '"from" 要是起算的日子，例如 "2026-06-01"')
    const wrong = (problem: string, line = lineOf(file, 'from', from)) =>
      new MarketFileError(file.path, line, `${from} ${problem}`)
    if (all.has(from))
      throw wrong('寫了兩次，請合成一列', lineOf(file, 'from', from, 1) ?? lineOf(file, 'from', from))
    if (!Array.isArray(unlimited))
      throw wrong('的 "unlimited" 要是沒有漲跌幅限制的 ETF 代號，例如 ["00646", "00662"]；都有限制時寫 []')
    const symbols = unlimited.map((one: unknown) => {
      if (typeof one === 'string' && /^00\d{2,4}[A-Z]?$/.test(one)) return one
      throw wrong(`的 ${JSON.stringify(one)} 不是 ETF 的代號（00 開頭，寫在引號裡）`)
    })
    all.set(from, { from, symbols })
  }
  return [...all.values()].sort(byFrom)
}

const byFrom = (a: { from: string }, b: { from: string }) => (a.from < b.from ? -1 : 1)
