// What of an event is news to somebody: whom it concerns, what it says, where it leads (ruling C36). Everything else is null.
import type { AppEvent, Scope } from '#contract/events.ts'
import { NOTIFY_FRESH_MS } from '#contract/limits.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import { readersOf } from '../access/announcements.ts'
import type { App } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { presentSignal, RECORD_COLUMNS } from '../record/records.ts'
import { mayBeRedacted, redactFor, type VisibilityApp } from '../record/visibility.ts'
import { newsOfFormat, newsOfSilence } from './alarm-news.ts'
import { type AudienceOf, editorsOf, mayRead, ownRules, type Recipient } from './audience.ts'
import type { Words } from './channel.ts'
import type { Matter } from './decide.ts'
import { alarm, contextOf, type News, type NewsPart, organizationOf, tell } from './enqueue.ts'
import {
  newsOfAsking,
  newsOfEnded,
  newsOfInvite,
  newsOfMembership,
  newsOfRefusedRequest,
} from './membership-news.ts'
import type { TotalOf } from './totals.ts'
import { type Original, wordsOfSignal } from './words.ts'

/** What a plan knows already: today in Taipei, who hears of what, what has been made so far; `after` = `next` of the part before. */
interface PlanContext {
  readonly day: string
  readonly audienceOf: AudienceOf
  readonly totalOf: TotalOf
  readonly after: string
}
type Ground = VisibilityApp & Pick<App, 'now'>
const NOTHING: NewsPart = { news: [], next: null }

/**
 * What an event is to whom, a part at a time: an organization may be large, and who plans keeps others waiting. Nothing for most
 * kinds. `after` is '' at first.
 */
export async function newsOf(app: Ground, db: Db, event: AppEvent, plan: PlanContext): Promise<NewsPart> {
  const { day, after } = plan
  switch (event.kind) {
    case 'signal':
    case 'signal-voided':
      return newsOfSignal(app, db, event.scope, event.data, event.at, plan)
    case 'delivery':
      return event.data.outcome === 'rejected' && !event.data.test
        ? whole(await newsOfRefusal(db, event.scope, event.data, event.at, day))
        : NOTHING
    case 'membership':
      return event.scope.startsWith('p:')
        ? whole(await newsOfMembership(db, event.scope, event.data, event.at))
        : NOTHING
    case 'context-revoked':
      return whole(await newsOfEnded(db, event.scope, event.data, event.at))
    case 'announcement':
      return event.data.change === 'published'
        ? newsOfAnnouncement(db, event.scope, event.data.id, { day, after })
        : NOTHING
    case 'organization':
      return event.data.request_id === undefined
        ? NOTHING
        : whole(await newsOfAsking(db, event.scope, event.data.request_id, day))
    case 'profile': {
      const { request_id, invite_id } = event.data
      if (request_id !== undefined) return whole(await newsOfRefusedRequest(db, event.scope, request_id))
      const at = new Date(app.now()).toISOString()
      return invite_id === undefined ? NOTHING : whole(await newsOfInvite(db, event.scope, invite_id, at))
    }
    case 'format':
      return whole(await newsOfFormat(app, db, event.scope, event.data, event.at, day))
    case 'silence':
      return whole(await newsOfSilence(db, event.scope, event.data, day))
    case 'strategy':
    case 'group':
    case 'setting':
    case 'notification':
    case 'notification-read':
    case 'telegram':
    case 'reset':
      return NOTHING
    default:
      return noNews(event)
  }
}

/** Refused by the compiler while a kind has no `case` in newsOf, with its name; one that is only stored is news to nobody. */
function noNews(_event: never): NewsPart {
  return NOTHING
}

function whole(news: News[]): NewsPart {
  return { news, next: null }
}

async function newsOfSignal(
  app: Ground,
  db: Db,
  scope: Scope,
  record: SignalRecord,
  at: string,
  { day, audienceOf, totalOf, after }: PlanContext,
): Promise<NewsPart> {
  // Ruling A26: what did nothing is told to nobody; nor what was replayed, imported or entered without telling.
  const pointer = isPointer(record)
  if (record.quiet || record.flags.includes('paused')) return NOTHING
  const idle = !pointer && record.derived.effect === 'none' && record.derived.status !== 'pending_price'
  if (idle && !record.flags.includes('asks_short')) return NOTHING
  const audience = await audienceOf(scope, record.strategy_id, after)
  if (!audience) return NOTHING
  const { strategy, recipients, next } = audience
  // A short that nobody has spoken of does nothing, but somebody is waiting for it.
  if (idle) return whole(await alarmsOf(db, scope, strategy, record, day))
  const age = Math.max(
    app.now() - Date.parse(at),
    // Entered by hand, it was asked for: the form says 發送通知.
    record.source === 'manual' || pointer
      ? 0
      : Date.parse(record.received_at) - Date.parse(record.occurred_at),
  )
  const news: News[] = []
  const wants = await ownRules(
    db,
    strategy,
    record,
    recipients.map(({ recipient }) => recipient.uid),
  )
  const originalOf = await originalsOf(db, [record])
  // Whoever sees the same of it reads the same words.
  const words = new Map<string, Words>()
  for (const { recipient, bell } of recipients) {
    if (!mayRead(recipient, strategy.id, record.occurred_at) || !wants(recipient.uid)) continue
    const view = viewOf(recipient, record)
    const shown = async () => {
      const own = await recordFor(app, db, recipient, record)
      const total = await totalOf(own, recipient)
      return wordsOfSignal(own, strategy.name, 'full', { original: originalOf(record), total })
    }
    const { title, lines } = words.get(view) ?? (await shown())
    words.set(view, { title, lines })
    news.push({
      uid: recipient.uid,
      key: `signal ${record.id}`,
      matter: { kind: 'signal', ...(pointer ? { moves: null } : movesOf(record)), strategy_id: strategy.id },
      bell,
      ...{ organization_id: organizationOf(scope), signal_id: record.id },
      title,
      body: lines.join('\n'),
      link: `/signals?signal=${record.id}&org=${contextOf(scope)}`,
      silent: age > NOTIFY_FRESH_MS,
    })
  }
  const alarms = after === '' ? await alarmsOf(db, scope, strategy, record, day) : []
  return { news: [...news, ...alarms], next }
}

/** The same for those who are shown the same of a record (the reasons are those of `redactFor` and `totals`). */
function viewOf({ access, shares, edits }: Recipient, record: SignalRecord): string {
  const counts = record.derived.realised_pnl !== null
  const found =
    counts || mayBeRedacted({ access, shares }, record) ? access?.get(record.strategy_id) : undefined
  return [edits, shares, found?.visible_from, found?.valid_until].join(' ')
}

/** The record as this person is shown it on every other way (docs/decisions/access.md). */
export async function recordFor(
  app: VisibilityApp,
  db: Db,
  recipient: Pick<Recipient, 'uid' | 'access' | 'shares' | 'edits'>,
  record: SignalRecord,
): Promise<SignalRecord> {
  const redact = await redactFor(app, db, recipient, [record])
  return redact(recipient.edits ? record : { ...record, delivery_id: null })
}

/** What has to be put right: a price that is missing or in doubt, a position that the source reports differently, whether it goes short. */
async function alarmsOf(
  db: Db,
  scope: Scope,
  strategy: StrategyRow,
  record: SignalRecord,
  day: string,
): Promise<News[]> {
  const what =
    record.derived.status === 'pending_price'
      ? { key: 'pending', title: '訊號沒有價格', body: '補上訊號價後才會算損益' }
      : record.derived.status === 'price_suspect'
        ? { key: 'suspect', title: '訊號價格可疑', body: '和上一個價格差太多，確認或更正後才會算損益' }
        : record.flags.includes('position_gap')
          ? { key: 'gap', title: '部位不一致', body: '來源回報的部位和紀錄算出來的不同，請確認' }
          : null
  if (record.flags.includes('asks_short'))
    // Once a strategy: it is answered once.
    return alarm(
      await editorsOf(db, scope, day),
      scope,
      strategy.id,
      {
        ...{ key: `short ${strategy.id}`, title: `${strategy.name} · 這個策略做空嗎？` },
        body: '收到做空的訊號：紀錄在，部位先不動，回答後重算',
        link: `/strategies/${strategy.id}?org=${contextOf(scope)}`,
      },
      record.id,
    )
  if (!what) return []
  const told = {
    ...{ key: `${what.key} ${record.id}`, title: `${strategy.name} · ${what.title}`, body: what.body },
    link: `/signals?signal=${record.id}&org=${contextOf(scope)}`,
  }
  return alarm(await editorsOf(db, scope, day), scope, strategy.id, told, record.id)
}

/** Refused messages of one webhook within an hour are one alarm. */
async function newsOfRefusal(
  db: Db,
  scope: Scope,
  delivery: { webhook_id: string; reason: string | null },
  at: string,
  day: string,
): Promise<News[]> {
  const strategy = await db
    .selectFrom('webhooks')
    .innerJoin('strategies', 'strategies.id', 'webhooks.strategy_id')
    .select(['strategies.id', 'strategies.name'])
    .where('webhooks.id', '=', delivery.webhook_id)
    .where('strategies.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!strategy) return []
  return alarm(await editorsOf(db, scope, day), scope, strategy.id, {
    key: `refused ${delivery.webhook_id} ${at.slice(0, 13)}`,
    title: `${strategy.name} · 有訊息沒有成為訊號`,
    body: delivery.reason ?? '請看收到的訊息與原因',
    link: `/strategies/${strategy.id}?tab=settings&org=${contextOf(scope)}`,
  })
}

/** What a record does to the position, for 「只要進出場」, 「只進場」 and 「只出場」. */
export function movesOf({
  derived: { effect },
}: Pick<SignalRecord, 'derived'>): Pick<Matter, 'moves' | 'partly'> {
  if (effect === 'open' || effect === 'add') return { moves: 'opening', partly: effect === 'add' }
  if (effect === 'reduce' || effect === 'close') return { moves: 'closing', partly: effect === 'reduce' }
  return { moves: effect === 'reverse' ? 'both' : null }
}

// What an announcement that was published is to whom: once for each of those who may read it today.

/** Members who are looked at in one go. */
const READERS_AT_ONCE = 200

/** Some of the news, as newsOf gives them. Whoever wrote it knows it; of what is on its way no more, or was to be quiet, nobody is told. */
async function newsOfAnnouncement(
  db: Db,
  scope: Scope,
  id: string,
  { day, after }: { readonly day: string; readonly after: string },
): Promise<NewsPart> {
  const row = await db.selectFrom('announcements').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || row.notify === 0 || row.published_at === null || row.owes === 'deleted') return NOTHING
  const { organization_id } = row
  const uids =
    organization_id === null
      ? [scope.slice(2)]
      : await readersOf(db, id, { day, after, most: READERS_AT_ONCE })
  const told = {
    ...{ key: `announcement ${id}`, title: row.title, body: excerptOf(row.body) },
    link:
      organization_id === null
        ? `/my-announcements?id=${id}`
        : `/organizations/${organization_id}/announcements?id=${id}&org=${organization_id}`,
  }
  const others = uids.filter((uid) => uid !== row.created_by)
  const news = tell('announcement', others, told, { organization_id }).map((one) => ({
    ...one,
    announcement_id: id,
  }))
  const more = organization_id !== null && uids.length === READERS_AT_ONCE
  return { news, next: more ? (uids.at(-1) as string) : null }
}

// The beginning of a Markdown text in one line of plain words, for where only a little fits.

const EXCERPT_MOST = 120
/** What makes a heading, a list, a quotation, a rule or a fence of a line. */
const LINE_LEADS = /^\s{0,3}(?:#{1,6}\s+|[-*+]\s+|\d{1,9}[.)]\s+|>\s?|(?:`{3,}|~{3,}).*$|(?:[-*_]\s*){3,}$)/

/** Its words without their signs, cut at a whole character. */
export function excerptOf(markdown: string): string {
  // As much as could matter: a long text must not cost more than a short one.
  const lines = markdown.slice(0, EXCERPT_MOST * 8).split('\n')
  const words = lines
    .map((line) => line.replace(LINE_LEADS, ''))
    .join(' ')
    .replace(/!?\[([^\][]{0,200})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/[*`~]{1,3}(?=\S)|(?<=\S)[*`~]{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const signs = [...words]
  return signs.length > EXCERPT_MOST ? `${signs.slice(0, EXCERPT_MOST - 1).join('')}…` : words
}

// What voids and corrections are about: when the original fired, and at what price.

/** The original of each of these records; null for what points at none. */
export async function originalsOf(
  db: Db,
  records: readonly SignalRecord[],
): Promise<(record: SignalRecord) => Original | null> {
  const ids = records.flatMap((record) => (isPointer(record) ? (record.refers_to ?? []) : []))
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('signals')
          .select(RECORD_COLUMNS)
          .where('id', 'in', [...new Set(ids)])
          .execute()
  const found = new Map(rows.map((row) => [row.id, presentSignal(row, { edit: false })]))
  return ({ refers_to }) => found.get(refers_to ?? '') ?? null
}
