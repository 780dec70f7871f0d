// The formats of webhooks (docs/decisions/reader.md): those that messages are read by, and those that wait until somebody has seen them.

import { type SelectQueryBuilder, sql } from 'kysely'
import type { Scope } from '#contract/events.ts'
import { FORMATS_WAITING_MOST, HELD_MOST } from '#contract/limits.ts'
import type { Answers, Format, Proposal } from '#trading/reader/format.ts'
import { compileFormats, type Formats, proposeFormat } from '#trading/reader/read.ts'
import type { Mapping } from '#trading/reader/shape.ts'
import type { Tx } from '../context.ts'
import type { Db, DeliveryRow, Schema, StrategyRow, WebhookFormatRow, WebhookRow } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { UnitOfWork } from '../record/unit-of-work.ts'
import { payloadStrategy, storedMapping } from './judge.ts'
import { type Rewritten, rewriteDeliveries } from './rewrite.ts'

// How a message that nobody has confirmed would be read: what a person is shown, and what the alarm says of it.

export interface ProposalGround {
  webhook: Pick<WebhookRow, 'id' | 'format' | 'mapping'>
  strategy: StrategyRow
  closed_days: ReadonlySet<string>
  /** The webhook's: what was answered once is not asked again. */
  confirmed: readonly WebhookFormatRow[]
}

export type Sample = Pick<DeliveryRow, 'id' | 'received_at'> & { body: string }

/** The message that a format is shown by: the first that came, else the newest that waits; null where none is kept. */
export async function sampleOf(
  db: Db,
  { id, webhook_id, sample_delivery_id }: WebhookFormatRow,
): Promise<Sample | null> {
  const kept = db
    .selectFrom('deliveries')
    .select(['id', 'received_at', 'body'])
    .where('webhook_id', '=', webhook_id)
    .where('body', 'is not', null)
    .where('body_encoding', '=', 'utf-8')
  const first =
    sample_delivery_id === null
      ? undefined
      : await kept.where('id', '=', sample_delivery_id).executeTakeFirst()
  const found =
    first ??
    (await kept
      .where('outcome', '=', 'held')
      .where('format_id', '=', id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst())
  return found ? { ...found, body: found.body as string } : null
}

export interface StartedProposal extends Proposal {
  /** What was said of the parts, by whom it may be: the proposal follows from it. */
  mapping: Mapping | null
}

/**
 * The proposal for a message. What was said of another format of the webhook may hold for this one: where no mapping is given, the
 * first of those known here under which it is a signal is where the person begins.
 */
export function proposalFor(
  { webhook, strategy, closed_days, confirmed }: ProposalGround,
  { body, received_at }: Omit<Sample, 'id'>,
  given: { answers?: Answers; mapping?: Mapping | null | undefined } = {},
): StartedProposal {
  const answered = confirmed.map((row) => formatIn(row).answers)
  const under = (mapping: Mapping | null): StartedProposal => ({
    ...proposeFormat({
      body,
      format: webhook.format as Parameters<typeof proposeFormat>[0]['format'],
      mapping,
      // What is taken without being read is nothing to confirm.
      unparsed_rule: null,
      received_at,
      strategy: payloadStrategy(strategy),
      closed_days,
      answers: Object.assign({}, ...answered, given.answers) as Answers,
    }),
    mapping,
  })
  if (given.mapping !== undefined) return under(given.mapping)
  const starts = new Set([webhook.mapping, ...confirmed.map(({ mapping }) => mapping), null])
  let first: StartedProposal | null = null
  for (const start of [...starts].slice(0, STARTS_MOST)) {
    const proposal = under(storedMapping(start))
    if (proposal.format !== null && proposal.outcome?.kind === 'signal') return proposal
    first ??= proposal
  }
  return first as StartedProposal
}

/** Mappings that a proposal is tried with. */
const STARTS_MOST = 5

/** Only those that are built in, by what `compileFormats` asks of the sender. */
const BUILT_IN = { other: compileFormats([]), multicharts: compileFormats([], true) }
/** Webhooks of which what is compiled is kept: some 50 KB each. */
const KNOWN_MOST = 2_000
/** So long after its people were asked about a webhook they are not asked again. */
export const ASKED_EVERY_MS = 600_000

type Sender = Pick<WebhookRow, 'id' | 'format'>
type Changing = Pick<WebhookRow, 'formats_rev'> & Sender
/** What of a source a webhook's formats say (judge.ts). */
interface ReadBy {
  formats: Formats
  taken_before?: ReadonlySet<string>
}

/** The formats of the webhooks that receive messages, as long as their rows are of the same version. */
export class FormatsKnown {
  readonly #known = new Map<string, { of: string; read_by: ReadBy }>()

  /** Asks the database for those that it does not know as they are now. Only the intake may: it changes none, so what it reads stays. */
  async of(db: Db, webhooks: readonly Changing[]): Promise<(webhook: Changing) => ReadBy> {
    const own = webhooks.filter(({ formats_rev }) => formats_rev > 0)
    const found = new Map(own.map((one) => [one.id, this.#get(one)]))
    const lacking = own.filter(({ id }) => found.get(id) === undefined)
    if (lacking.length > 0) {
      const rows = await readingRows(
        db,
        lacking.map(({ id }) => id),
      )
      for (const webhook of lacking) {
        const read_by = readByOf(
          webhook,
          rows.filter(({ webhook_id }) => webhook_id === webhook.id),
        )
        found.set(webhook.id, read_by)
        this.#keep(webhook, read_by)
      }
    }
    return (webhook) => found.get(webhook.id) ?? { formats: builtInFor(webhook) }
  }

  #get({ id, formats_rev, format }: Changing): ReadBy | undefined {
    const known = this.#known.get(id)
    return known?.of === `${formats_rev} ${format}` ? known.read_by : undefined
  }

  #keep({ id, formats_rev, format }: Changing, read_by: ReadBy): void {
    this.#known.delete(id)
    this.#known.set(id, { of: `${formats_rev} ${format}`, read_by })
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= KNOWN_MOST) break
      this.#known.delete(oldest)
    }
  }
}

/** What decides how messages are read: confirmed formats in the order they were confirmed, and what was taken before there were any. */
function readingRows(db: Db, webhook_ids: readonly string[]): Promise<WebhookFormatRow[]> {
  return db
    .selectFrom('webhook_formats')
    .selectAll()
    .where('webhook_id', 'in', webhook_ids)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'confirmed'),
        eb.and([eb('state', '=', 'waiting'), eb('taken_before', '=', 1)]),
      ]),
    )
    .orderBy('confirmed_at')
    .orderBy('id')
    .execute()
}

function readByOf(webhook: Pick<WebhookRow, 'format'>, rows: readonly WebhookFormatRow[]): ReadBy {
  const taken = rows.filter(({ state }) => state === 'waiting').map(({ shape }) => shape)
  return {
    formats: compiledOf(
      webhook,
      rows.filter(({ state }) => state === 'confirmed'),
    ),
    ...(taken.length > 0 && { taken_before: new Set(taken) }),
  }
}

/** What a webhook's messages are read by as it stands in this transaction. */
export async function formatsOf(db: Db, webhook: Sender): Promise<ReadBy> {
  return readByOf(webhook, await readingRows(db, [webhook.id]))
}

/** Confirmed formats, in the order they were confirmed. */
export function confirmedOf(db: Db, webhook_ids: readonly string[]): Promise<WebhookFormatRow[]> {
  return db
    .selectFrom('webhook_formats')
    .selectAll()
    .where('webhook_id', 'in', webhook_ids)
    .where('state', '=', 'confirmed')
    .orderBy('confirmed_at')
    .orderBy('id')
    .execute()
}

export function formatIn(row: Pick<WebhookFormatRow, 'format'>): Format {
  return JSON.parse(row.format as string) as Format
}

export function compiledOf(webhook: Pick<WebhookRow, 'format'>, rows: readonly WebhookFormatRow[]): Formats {
  if (rows.length === 0) return builtInFor(webhook)
  const own = rows.map((row) => ({ id: row.id, format: formatIn(row) }))
  return compileFormats(own, webhook.format === 'multicharts')
}

const builtInFor = ({ format }: Pick<WebhookRow, 'format'>) =>
  format === 'multicharts' ? BUILT_IN.multicharts : BUILT_IN.other

/** The webhook's formats are others than before; `columns` are written with that. */
export async function changedFormats(
  tx: Tx,
  webhook_id: string,
  columns: Partial<Pick<WebhookRow, 'asked_at' | 'formats_due' | 'mapping' | 'sequence'>> = {},
): Promise<void> {
  await tx.db
    .updateTable('webhooks')
    .set((eb) => ({ formats_rev: eb('formats_rev', '+', 1), ...columns }))
    .where('id', '=', webhook_id)
    .execute()
}

/** What was confirmed at a webhook holds for a further one of the same sender. */
export async function copyFormats(tx: Tx, from: string, to: string): Promise<void> {
  const rows = await confirmedOf(tx.db, [from])
  if (rows.length === 0) return
  const copies = rows.map((row) => ({ ...row, id: newId(), webhook_id: to, sample_delivery_id: null }))
  await tx.db.insertInto('webhook_formats').values(copies).execute()
  await changedFormats(tx, to)
}

/** A message that no confirmed format takes. */
interface AskedAbout {
  webhook: Pick<WebhookRow, 'id' | 'strategy_id' | 'asked_at'>
  scope: string
  shape: string
  extends: string | null
  delivery_id: string
}

/** Ids of the formats that these messages wait for, in their order; a new one for what has not come before. */
export async function waitingFor(tx: Tx, asked: readonly AskedAbout[]): Promise<string[]> {
  if (asked.length === 0) return []
  const rows = await tx.db
    .selectFrom('webhook_formats')
    .select(['id', 'webhook_id', 'shape'])
    .where('webhook_id', 'in', [...new Set(asked.map(({ webhook }) => webhook.id))])
    .where('state', '=', 'waiting')
    .execute()
  const known = new Map(rows.map(({ id, webhook_id, shape }) => [`${webhook_id} ${shape}`, id]))
  const made: WebhookFormatRow[] = []
  const ids = asked.map(({ webhook, shape, extends: of, delivery_id }) => {
    const key = `${webhook.id} ${shape}`
    const id = known.get(key) ?? newId()
    if (known.has(key)) return id
    known.set(key, id)
    made.push({
      ...{ id, webhook_id: webhook.id, state: 'waiting', shape, extends: of, name: '' },
      ...{ format: null, mapping: null, taken_before: 0 },
      ...{ sample_delivery_id: delivery_id, created_at: tx.at, confirmed_at: null, confirmed_by: null },
    })
    return id
  })
  if (made.length > 0) await tx.db.insertInto('webhook_formats').values(made).execute()
  return ids
}

/** Tells those who may edit that there is something to look at, once in ten minutes for each webhook; what waits stays within its bounds. */
export async function askAbout(
  tx: Tx,
  asked: readonly (AskedAbout & { format_id: string })[],
): Promise<void> {
  for (const [webhook_id, own] of Map.groupBy(asked, ({ webhook }) => webhook.id)) {
    const [{ webhook, scope, format_id }] = own as [AskedAbout & { format_id: string }]
    if (mayAsk(webhook, tx.at))
      await ask(tx, { webhook_id, strategy_id: webhook.strategy_id, scope, format_id })
    await letOldestGo(tx, webhook_id, scope)
  }
}

function mayAsk({ asked_at }: Pick<WebhookRow, 'asked_at'>, at: string): boolean {
  return asked_at === null || Date.parse(asked_at) <= Date.parse(at) - ASKED_EVERY_MS
}

/** Asks now. */
export async function ask(
  tx: Tx,
  of: { webhook_id: string; strategy_id: string; scope: string; format_id: string },
): Promise<void> {
  const { webhook_id, strategy_id, format_id: id } = of
  await tx.db.updateTable('webhooks').set({ asked_at: tx.at }).where('id', '=', webhook_id).execute()
  await tx.append(of.scope as Scope, 'format', { id, webhook_id, strategy_id, change: 'asked' })
}

async function letOldestGo(tx: Tx, webhook_id: string, scope: string): Promise<void> {
  const formats = await tx.db
    .selectFrom('webhook_formats')
    .select('id')
    .where('webhook_id', '=', webhook_id)
    .where('state', '=', 'waiting')
    // Ids rise with time.
    .orderBy('id', 'desc')
    .offset(FORMATS_WAITING_MOST)
    .limit(FORMATS_WAITING_MOST)
    .execute()
  const over = await tx.db
    .selectFrom('messages')
    .selectAll()
    .where('webhook_id', '=', webhook_id)
    .where('outcome', '=', 'held')
    .where('test', '=', 0)
    .orderBy('id', 'desc')
    .offset(HELD_MOST)
    .limit(HELD_MOST)
    .execute()
  await letGo(tx, { webhook_id, scope }, over, {
    outcome: 'rejected',
    reason: `等著確認格式的訊息超過 ${HELD_MOST.toLocaleString('en-US')} 則，這一則不再等`,
  })
  for (const { id } of formats) {
    await tx.db.deleteFrom('webhook_formats').where('id', '=', id).execute()
    await letGo(tx, { webhook_id, scope }, await heldBy(tx.db, webhook_id, id), {
      outcome: 'rejected',
      reason: `等著確認的格式超過 ${FORMATS_WAITING_MOST} 種，這一則不再等`,
    })
  }
}

/** How many formats wait to be confirmed, and the newest, by strategy, of webhooks that are there; none where none does. */
export async function waitingByStrategy(
  db: Db,
  ids: StrategyIds,
): Promise<Map<string, { count: number; newest: string }>> {
  const rows = await db
    .selectFrom('webhook_formats as format')
    .innerJoin('webhooks', 'webhooks.id', 'format.webhook_id')
    .select((eb) => [
      'webhooks.strategy_id',
      eb.fn.countAll().as('count'),
      eb.fn.max('format.id').as('newest'),
    ])
    // Written out: the narrow index of what waits is found by it.
    .where('format.state', '=', sql.lit('waiting'))
    .where('webhooks.strategy_id', 'in', ids)
    .where('webhooks.deleted_at', 'is', null)
    .groupBy('webhooks.strategy_id')
    .orderBy('webhooks.strategy_id')
    .execute()
  return new Map(
    rows.map(({ strategy_id, count, newest }) => [strategy_id, { count: Number(count), newest }]),
  )
}
type StrategyIds = readonly string[] | SelectQueryBuilder<Schema, 'strategies', { id: string }>

/** The messages of a webhook that wait for a format, or for any; in the order they came. */
export function heldBy(db: Db, webhook_id: string, format_id?: string): Promise<DeliveryRow[]> {
  let held = db
    .selectFrom('messages')
    .selectAll()
    .where('webhook_id', '=', webhook_id)
    .where('outcome', '=', 'held')
    .where('test', '=', 0)
  if (format_id !== undefined) held = held.where('format_id', '=', format_id)
  return held.orderBy('id').execute()
}

/** They wait no more, and became no signal. */
export async function letGo(
  tx: Tx,
  of: { webhook_id: string; scope: string },
  deliveries: readonly DeliveryRow[],
  { outcome, reason }: { outcome: 'ignored' | 'rejected'; reason: string },
): Promise<void> {
  if (deliveries.length === 0) return
  const http_status = outcome === 'ignored' ? 200 : 422
  const rewritten = deliveries.map((delivery): Rewritten => {
    const next = { ...delivery, outcome, http_status, reason, format_id: null, replayed_at: tx.at }
    return { delivery, next, normal: null }
  })
  const uow = new UnitOfWork(tx)
  await rewriteDeliveries(tx, uow, of, rewritten)
  await uow.store()
}

/** Notes which of our own formats a webhook's sender writes. */
export async function noteUsed(
  tx: Tx,
  read: readonly { webhook: Pick<WebhookRow, 'id' | 'formats_used'>; format_id: string | null }[],
): Promise<void> {
  const used = read.filter(
    ({ webhook, format_id }) =>
      format_id?.startsWith(OF_OURS) && !webhook.formats_used.includes(JSON.stringify(format_id)),
  )
  for (const [id, own] of Map.groupBy(used, ({ webhook }) => webhook.id)) {
    const known = JSON.parse(own[0]?.webhook.formats_used ?? '[]') as string[]
    const formats_used = JSON.stringify([...new Set([...known, ...own.map(({ format_id }) => format_id)])])
    await tx.db.updateTable('webhooks').set({ formats_used }).where('id', '=', id).execute()
  }
}
export const OF_OURS = 'builtin:'
