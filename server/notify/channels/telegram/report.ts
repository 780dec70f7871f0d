// What /today and /positions say: every context of the person, each strategy as far as it may be seen today, at the privacy level set.

import type { PrivacyLevel } from '#contract/channels.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { taipei, tradingSessionAt } from '#trading/calendar.ts'
import { contractWord } from '#trading/contracts.ts'
import { amountSum } from '#trading/day.ts'
import { assetOf } from '#trading/kinds.ts'
import type { Position, StrategyKind } from '#trading/record.ts'
import { positionText, quantityWords, STATUS_WORDS, signalWords } from '#trading/record-words.ts'
import { number, price, signed } from '#trading/written.ts'
import { contextsOf, type NamedContext } from '../../../access/everywhere.ts'
import { visibleSignals, visibleStrategies } from '../../../access/strategies.ts'
import type { App } from '../../../context.ts'
import { closedDays } from '../../../record/closed-days.ts'
import { showSignals } from '../../../record/veil.ts'
import { wishesOf } from '../../settings.ts'
import { pagesOf } from './pages.ts'

/** Of each context; what is older stands in the app. */
const SHOWN = 10
/** Messages of one answer: beyond it the app is the place to look. */
const PAGES = 5
/** A day with more is summed up by the app alone. */
const SUMMED = 500

const HIDDEN = '你把 Telegram 的隱私設為只說「新訊號」，內容請到凌波看。'

/** Today's signals of every context, newest last; as many messages as it needs. */
export async function todayTexts(app: App, uid: string): Promise<string[]> {
  const level = await levelOf(app, uid)
  if (level === 'new_only') return [HIDDEN]
  const now = new Date(app.now()).toISOString()
  // The night session already belongs to the next trading date.
  const { trading_date } = tradingSessionAt(now, { has_night: true, closed_days: closedDays(app) })
  const parts: string[] = []
  for (const standing of await contextsOf(app, uid))
    parts.push(...(await todayOf(app, standing, trading_date, level)))
  const head = `交易日 ${dayWord(trading_date)}`
  return parts.length === 0 ? [`${head}：還沒有訊號。`] : pagesOf(head, parts).slice(0, PAGES)
}

async function todayOf(
  app: App,
  { actor, name }: NamedContext,
  trading_date: string,
  level: PrivacyLevel,
): Promise<string[]> {
  const rows = await visibleSignals(app.db, actor)
    .selectAll()
    .where('trading_date', '=', trading_date)
    .where('source', 'not in', ['void', 'correction'])
    .orderBy('seq', 'desc')
    .limit(SUMMED)
    .execute()
  if (rows.length === 0) return []
  const records = (await showSignals(app, app.db, actor, rows)).reverse()
  const names = await namesOf(app, { actor, name })
  const made = records.flatMap(({ derived }) => derived.realised_pnl ?? [])
  const pnl = level === 'full' && made.length > 0 ? ` · 已實現 ${signed(amountSum(made))} 元` : ''
  const count = rows.length === SUMMED ? `${SUMMED} 筆以上` : `${records.length} 筆`
  return [
    `\n〔${name}〕${count}${pnl}`,
    ...(records.length > SHOWN ? [`…較早的 ${number(records.length - SHOWN)} 筆請到凌波看`] : []),
    ...records.slice(-SHOWN).map((record) => lineOf(record, names, level)),
  ]
}

function lineOf(record: SignalRecord, names: ReadonlyMap<string, string>, level: PrivacyLevel): string {
  const { derived, asset, unit, quantity } = record
  const time = taipei(record.occurred_at).time.slice(0, 5)
  const product = record.symbol_name || record.symbol
  if (level !== 'full') return `${time} ${product}`
  const moved = Math.abs(derived.position_after - derived.position_before)
  const much = quantityWords(quantity ?? moved, unit)
  const at = derived.price_used ?? record.price
  const what = [
    time,
    names.get(record.strategy_id) ?? '',
    signalWords({ asset, ...derived }).label,
    product,
    `${much.quantity}${much.unit && ` ${much.unit}`}`,
    at === null ? STATUS_WORDS.pending_price : `@ ${price(at)}`,
    derived.status === 'price_suspect' ? STATUS_WORDS.price_suspect : '',
  ]
  return what.filter((part) => part !== '').join(' ')
}

/** Every open position of every context; as many messages as it needs. */
export async function positionsTexts(app: App, uid: string): Promise<string[]> {
  const level = await levelOf(app, uid)
  if (level === 'new_only') return [HIDDEN]
  const parts: string[] = []
  for (const { actor, name } of await contextsOf(app, uid)) {
    const rows = await visibleStrategies(app.db, actor)
      .innerJoin('strategy_folds as folds', 'folds.strategy_id', 'strategies.id')
      .select(['strategies.name', 'strategies.kind', 'folds.positions'])
      .where('folds.positions', '!=', '[]')
      .where('strategies.status', '!=', 'archived')
      .orderBy('strategies.name')
      .execute()
    if (rows.length === 0) continue
    parts.push(`〔${name}〕`)
    for (const row of rows)
      for (const position of JSON.parse(row.positions) as Position[])
        parts.push(level === 'full' ? positionLine(row, position) : position.symbol_name || position.symbol)
  }
  return parts.length === 0 ? ['目前沒有部位。'] : pagesOf('目前部位', parts).slice(0, PAGES)
}

function positionLine({ name, kind }: { name: string; kind: StrategyKind }, position: Position): string {
  const { symbol_name, symbol, contract, quantity, avg_price, unrealised_pnl } = position
  const what = [
    `${name}：${symbol_name || symbol}`,
    contractWord(contract),
    positionText(quantity, assetOf({ kind })),
    avg_price === null ? '' : `均價 ${price(avg_price)}`,
    unrealised_pnl === null ? '' : `未實現 ${signed(unrealised_pnl)} 元`,
  ]
  return what.filter((part) => part !== '').join(' ')
}

async function levelOf({ db }: Pick<App, 'db'>, uid: string): Promise<PrivacyLevel> {
  return (await wishesOf(db, [uid]))(uid).privacy.telegram
}

async function namesOf(
  { db }: Pick<App, 'db'>,
  { actor }: NamedContext,
): Promise<ReadonlyMap<string, string>> {
  const rows = await visibleStrategies(db, actor).select(['strategies.id', 'strategies.name']).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const dayWord = (day: string): string => day.slice(5).replace('-', '/')
