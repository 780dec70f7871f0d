// What it is to those who may edit a strategy that its source has fallen silent: one alarm for each silence, as long as it lasts.
import { sql } from 'kysely'
import type { EventData, Scope } from '#contract/events.ts'
import { dayWords, taipei } from '#trading/calendar.ts'
import { assetOf } from '#trading/kinds.ts'
import { contractWord } from '#trading/products.ts'
import type { ReadSignal } from '#trading/reader/shape.ts'
import { ACTION_WORDS, positionText, quantityWords } from '#trading/record-words.ts'
import { isNoCount, missingWords, type Sequence } from '#trading/sender-count.ts'
import { bellOf, bellUntouched } from '../access/strategies.ts'
import type { App } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import { ASKED_EVERY_MS, ask, confirmedOf, proposalFor, sampleOf } from '../ingest/format-store.ts'
import { closedDays } from '../record/calendar.ts'
import { marketPlace } from '../record/facts.ts'
import { heardOf, isSilent } from '../record/silence.ts'
import { editorsOf } from './audience.ts'
import { alarm, contextOf, idOf, type News, type Standing } from './enqueue.ts'
import { written } from './words.ts'

/** Nothing where a message came before it could be told. */
export async function newsOfSilence(
  db: Db,
  scope: Scope,
  { strategy_id, since, heard_at, minutes, missing }: EventData['silence'],
  day: string,
): Promise<News[]> {
  if (missing) return newsOfMissing(db, scope, missing.webhook_id, since, day)
  const row =
    since === null
      ? undefined
      : await db
          .selectFrom('strategies')
          .select(['id', 'name', 'watched_from', 'silent_since'])
          .where('id', '=', strategy_id)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
  if (!row || since === null || row.silent_since !== since) return []
  if (!isSilent(row, await heardOf(db, [row.id]))) return []
  const said = minutes === undefined ? '太久' : `已經 ${spanWords(minutes)}`
  const last = heard_at === undefined ? '' : `最後一則 ${clockWords(heard_at)}，`
  return alarm(await editorsOf(db, scope, day), scope, row.id, {
    key: silenceKey(row.id, since),
    title: `${row.name} · 太久沒收到訊號`,
    body: `交易時段裡${said}沒有訊息進來\n${last}請確認來源平台的快訊還在執行`,
    link: `/strategies/${row.id}?org=${contextOf(scope)}`,
  })
}

/** Numbers that the sender gave and that never came; nothing where they came before it could be told. */
async function newsOfMissing(
  db: Db,
  scope: Scope,
  webhook_id: string,
  since: string | null,
  day: string,
): Promise<News[]> {
  const row = await db
    .selectFrom('webhooks')
    .innerJoin('strategies', 'strategies.id', 'webhooks.strategy_id')
    .select(['strategies.id', 'strategies.name', 'webhooks.name as webhook', 'webhooks.sequence'])
    .where('webhooks.id', '=', webhook_id)
    .where('webhooks.deleted_at', 'is', null)
    .where('strategies.deleted_at', 'is', null)
    .executeTakeFirst()
  const sequence = row?.sequence == null ? null : (JSON.parse(row.sequence) as Sequence)
  if (!row || since === null || sequence?.since !== since) return []
  const numbers = missingWords(sequence.missing)
  const said = isNoCount(sequence)
    ? {
        title: `${row.name} · 序號不是一則加一`,
        body: `「${row.webhook}」的序號大多不連續，看不出少了哪一則，之後不再提醒缺號\n若它是時間或價格，請在訊息格式裡換一個欄位或拿掉；若真的漏收很多，請檢查來源平台`,
      }
    : {
        title: `${row.name} · 少了第 ${numbers} 則`,
        body: `「${row.webhook}」的序號跳過了 ${numbers}，可能漏收訊號\n請在來源平台確認，或手動補登`,
      }
  return alarm(await editorsOf(db, scope, day), scope, row.id, {
    ...{ ...said, key: missingKey(webhook_id, since) },
    link: `/strategies/${row.id}?tab=settings&org=${contextOf(scope)}`,
  })
}

const missingKey = (webhook_id: string, since: string) => `missing ${webhook_id} ${since}`
const silenceKey = (strategy_id: string, since: string) => `silence ${strategy_id} ${since}`

const CAME = '後來有訊息進來，或不再留意了'
/** Numbers that are missing still. */
const MISSING: Standing = {
  ...{ kind: 'alarm', keys: /^missing /, over: CAME },
  async still(db, ids) {
    const rows = await db
      .selectFrom('webhooks')
      .select(['id', 'sequence'])
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute()
    const standing = rows.flatMap(({ id, sequence }) => {
      const since = sequence === null ? null : (JSON.parse(sequence) as Sequence).since
      return since === null ? [] : missingKey(id, since)
    })
    return ({ key }) => standing.includes(key)
  },
}

/** A source that is silent and watched. */
const SILENCE: Standing = {
  ...{ kind: 'alarm', keys: /^silence /, over: CAME },
  async still(db, ids) {
    const rows = await db
      .selectFrom('strategies')
      .select(['id', 'watched_from', 'silent_since'])
      .where('id', 'in', ids)
      .execute()
    const heard = await heardOf(db, ids)
    const standing = rows.flatMap((row) =>
      isSilent(row, heard) ? silenceKey(row.id, row.silent_since ?? '') : [],
    )
    return ({ key }) => standing.includes(key)
  },
}

/** `45 分鐘`, `3 小時`, `3 小時 5 分鐘`. */
function spanWords(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${rest} 分鐘`
  return rest === 0 ? `${hours} 小時` : `${hours} 小時 ${rest} 分鐘`
}

function clockWords(instant: string): string {
  const { date, time } = taipei(instant)
  return `${dayWords(date).slice(5)} ${time.slice(0, 5)}`
}

// A message of a format that nobody has confirmed (docs/decisions/reader.md): what those who may edit the strategy are asked, at most once
// a webhook in ten minutes, and that there is nothing to ask any more.

const OF_FORMAT = 'format '

/** Nothing where it was confirmed, or let go, before it could be asked. */
export async function newsOfFormat(
  app: Pick<App, 'config' | 'log'>,
  db: Db,
  scope: Scope,
  { id, change }: EventData['format'],
  at: string,
  day: string,
): Promise<News[]> {
  if (change !== 'asked') return []
  const row = await db
    .selectFrom('webhook_formats')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  const webhook =
    row &&
    (await db
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', row.webhook_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst())
  const strategy =
    webhook &&
    (await db
      .selectFrom('strategies')
      .selectAll()
      .where('id', '=', webhook.strategy_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst())
  if (!row || !webhook || !strategy) return []
  const sample = await sampleOf(db, row)
  const on = {
    ...{ webhook, strategy, closed_days: closedDays(app) },
    confirmed: await confirmedOf(db, [webhook.id]),
  }
  const outcome = sample && proposalFor(on, sample).outcome
  const question =
    outcome?.kind === 'signal' ? `：${signalWords(outcome.signal, strategy, on.closed_days)}？` : '，等你確認'
  return alarm(await askedOf(db, scope, strategy, day), scope, strategy.id, {
    key: `${OF_FORMAT}${id} ${at}`,
    title: `新格式的訊息${question}`,
    body: `${strategy.name} · ${webhook.name}\n看過一次，以後這樣的訊息就直接收下`,
    link: `/strategies/${strategy.id}?tab=settings&format=${id}&org=${contextOf(scope)}`,
  })
}

/** 多單進場 小台近月 2 口 46,500: what the message asks for, as it would be read. */
function signalWords(signal: ReadSignal, strategy: StrategyRow, closed_days: ReadonlySet<string>): string {
  const { action, symbol, contract, quantity, unit, price, target_position, occurred_at } = signal
  const asset = assetOf(strategy)
  const { symbol_name } = marketPlace({ asset, symbol, contract, occurred_at }, closed_days)
  const size = quantityWords(quantity, unit)
  return [
    ACTION_WORDS[action],
    `${symbol_name || symbol}${contractWord(contract)}`,
    action === 'target' && target_position !== null
      ? positionText(target_position, asset)
      : action === 'close_all'
        ? ''
        : [size.quantity, size.unit].filter(Boolean).join(' '),
    price === null ? '' : written(price),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/**
 * Those who may edit the strategy and are told of its signals (ruling A15). Where nobody is left who is told, all who may edit: a
 * message that nobody hears of waits in vain.
 */
async function askedOf(db: Db, scope: Scope, strategy: StrategyRow, day: string): Promise<string[]> {
  const editors = await editorsOf(db, scope, day)
  if (editors.length === 0) return []
  const rows = await db
    .selectFrom('strategy_notify')
    .selectAll()
    .where('strategy_id', '=', strategy.id)
    .where('uid', 'in', editors)
    .execute()
  const bells = new Map(rows.map((row) => [row.uid, bellOf(row)]))
  const recipients = editors.filter(
    (uid) => (bells.get(uid) ?? bellUntouched({ uid, edits: true }, strategy)).enabled,
  )
  return recipients.length > 0 || scope.startsWith('p:') ? recipients : editors
}

/** Formats that wait for somebody. */
const FORMATS: Standing = {
  ...{ kind: 'alarm', keys: /^format /, over: '這種格式已經有人確認或刪除了' },
  async still(db, ids) {
    const waiting = db.selectFrom('webhook_formats').select('id').where('state', '=', 'waiting')
    const rows = await waiting.where('id', 'in', ids).execute()
    return (one) => rows.some(({ id }) => id === idOf(one))
  },
}
export const ALARMS = [SILENCE, MISSING, FORMATS]

/** Asks of what came while its webhook's people had just been asked about another format; gives how often. Looked at every minute. */
export async function askLater(app: Pick<App, 'db' | 'now' | 'events' | 'log'>): Promise<number> {
  const before = new Date(app.now() - ASKED_EVERY_MS).toISOString()
  const rows = await app.db
    .selectFrom('webhook_formats as format')
    .innerJoin('webhooks', 'webhooks.id', 'format.webhook_id')
    .innerJoin('strategies', 'strategies.id', 'webhooks.strategy_id')
    .select(['format.id', 'format.webhook_id', 'webhooks.asked_at', 'strategies.id as strategy_id'])
    .select('strategies.scope')
    // Written out: the narrow index of what waits is found by it.
    .where('format.state', '=', sql.lit('waiting'))
    .where('webhooks.asked_at', '<=', before)
    .whereRef('format.created_at', '>', 'webhooks.asked_at')
    .where('webhooks.deleted_at', 'is', null)
    .where('strategies.deleted_at', 'is', null)
    .orderBy('format.id')
    .limit(200)
    .execute()
  const newest = new Map(rows.map((row) => [row.webhook_id, row]))
  for (const { id: format_id, webhook_id, asked_at, strategy_id, scope } of newest.values())
    await inTransaction(app, async (tx) => {
      const still = await tx.db
        .updateTable('webhooks')
        .set({ asked_at: tx.at })
        .where('id', '=', webhook_id)
        // Whoever comes first, of several processes.
        .where('asked_at', '=', asked_at)
        .executeTakeFirstOrThrow()
      if (still.numUpdatedRows > 0n) await ask(tx, { webhook_id, strategy_id, scope, format_id })
    })
  return newest.size
}
