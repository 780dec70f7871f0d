// Formats of a webhook (wire §5): what waits is shown with what it would be, confirmed, changed, let go (docs/decisions/reader.md).
import type { OutputOf, ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import type { Scope } from '#contract/events.ts'
import { FORMATS_CONFIRMED_MOST } from '#contract/limits.ts'
import type {
  confirmFormat,
  FormatReading,
  listFormats,
  updateFormat,
  WebhookFormat,
} from '#contract/webhook-format.ts'
import { foresee } from '#trading/foresee.ts'
import { assetOf } from '#trading/kinds.ts'
import { BUILT_IN } from '#trading/reader/builtin.ts'
import type { Format, Proposal, QuestionId } from '#trading/reader/format.ts'
import { type Formats, isTaken, mergeFormats, readMessage } from '#trading/reader/read.ts'
import type { ReadOutcome, ReadSignal } from '#trading/reader/shape.ts'
import type { App, Tx } from '../context.ts'
import type { Db, DeliveryRow, StrategyRow, WebhookFormatRow, WebhookRow } from '../db/schema.ts'
import {
  changedFormats,
  compiledOf,
  confirmedOf,
  formatIn,
  formatsOf,
  heldBy,
  letGo,
  OF_OURS,
  type ProposalGround,
  proposalFor,
  type Sample,
  type StartedProposal,
  sampleOf,
} from '../ingest/format-store.ts'
import { EMPTY_MAPPING, payloadStrategy, storedMapping } from '../ingest/judge.ts'
import { closedDays } from '../record/calendar.ts'
import { webhookFacts } from '../record/facts.ts'
import { openPositions } from '../record/records.ts'
import { loadTerms } from '../record/terms.ts'
import { inOrder } from '../usage/messages.ts'

interface Ground {
  webhook: WebhookRow
  strategy: StrategyRow
}

/** What a signal would be, over the positions as they stand. */
type ReadingOf = (outcome: ReadOutcome | null) => FormatReading | null

/** Waiting ones with what their sample would be now, the newest first; then those that are confirmed. */
export async function formatsOfWebhook(
  app: App,
  db: Db,
  ground: Ground,
): Promise<OutputOf<typeof listFormats>> {
  const { webhook } = ground
  const rows = await db
    .selectFrom('webhook_formats')
    .selectAll()
    .where('webhook_id', '=', webhook.id)
    .where('state', 'in', ['waiting', 'confirmed'])
    .orderBy('id', 'desc')
    .execute()
  const confirmed = rows.filter(({ state }) => state === 'confirmed')
  const on = { ...ground, closed_days: closedDays(app), confirmed }
  const counts = await waitingCounts(db, webhook.id)
  const readingOf = await readingsOn(app, db, on)
  const waiting: WebhookFormat[] = []
  for (const row of rows.filter(({ state }) => state === 'waiting')) {
    waiting.push(presentWaiting(row, await sampleOf(db, row), on, counts.get(row.id) ?? 0, readingOf))
    // What nobody knows may be long: messages that come meanwhile have their turn.
    await new Promise((next) => setImmediate(next))
  }
  const formats = compiledOf(webhook, confirmed)
  const own: WebhookFormat[] = []
  for (const row of confirmed)
    own.push(presentConfirmed(row, await sampleOf(db, row), { ...on, formats }, readingOf))
  own.sort((a, b) => a.name.localeCompare(b.name, 'zh-Hant', { numeric: true }))
  return { items: [...waiting, ...own, ...oursUsed(webhook)] }
}

/** Those of ours that its sender has used. */
function oursUsed({ formats_used }: WebhookRow): WebhookFormat[] {
  const used = new Set(JSON.parse(formats_used) as string[])
  return BUILT_IN.filter(({ id }) => used.has(`${OF_OURS}${id}`)).map(({ id, name }) => ({
    ...{ id: `${OF_OURS}${id}`, state: 'confirmed', name, fields: [], extends: null },
    ...{ sample_delivery_id: null, waiting_count: 0, proposal: null, reason: null, field: null },
    ...{ questions: [], answers: {}, mapping: null },
  }))
}

async function waitingCounts(db: Db, webhook_id: string): Promise<Map<string | null, number>> {
  const rows = await db
    .selectFrom('messages')
    .select((eb) => ['format_id', eb.fn.countAll().as('count')])
    .where('webhook_id', '=', webhook_id)
    .where('outcome', '=', 'held')
    .where('test', '=', 0)
    .groupBy('format_id')
    .execute()
  return new Map(rows.map(({ format_id, count }) => [format_id, Number(count)]))
}

async function readingsOn(
  app: App,
  db: Db,
  { strategy, closed_days }: Pick<ProposalGround, 'strategy' | 'closed_days'>,
): Promise<ReadingOf> {
  const open = await openPositions(app, db, strategy, closed_days)
  const terms = loadTerms(strategy, closed_days)
  const at = new Date(app.now()).toISOString()
  const afterOf = (signal: ReadSignal) => {
    const of = {
      id: 'next',
      strategy_id: strategy.id,
      asset: assetOf(strategy),
      received_at: at,
      body_sha256: '',
    }
    return foresee(open, { ...webhookFacts(signal, of), chain_seq: 0 }, terms).derived.position_after
  }
  return (outcome) => {
    if (outcome?.kind !== 'signal') return null
    const { signal } = outcome
    const { action, symbol, contract, quantity, unit, price, target_position } = signal
    return {
      ...{ action, symbol, contract, quantity, unit, price, target_position },
      position_after: afterOf(signal),
    }
  }
}

function presentWaiting(
  row: WebhookFormatRow,
  sample: Sample | null,
  on: ProposalGround,
  waiting_count: number,
  readingOf: ReadingOf,
): WebhookFormat {
  const proposal = sample && proposalFor(on, sample)
  return {
    id: row.id,
    state: 'waiting',
    name: '新格式',
    fields: proposal?.fields ?? [],
    extends: (proposal && extendedBy(on.confirmed, proposal)?.id) ?? null,
    sample_delivery_id: sample?.id ?? null,
    waiting_count,
    proposal: readingOf(proposal?.outcome ?? null),
    reason: proposal ? whyNot(proposal) : NOT_KEPT,
    field: proposal?.field ?? null,
    questions: (proposal?.questions ?? []).map(({ id, options }) => ({
      id,
      options: options.map(({ value, outcome }) => ({ value, proposal: readingOf(outcome) })),
    })),
    answers: proposal?.format?.answers ?? {},
    mapping: (proposal ? proposal.mapping : storedMapping(on.webhook.mapping)) as WebhookFormat['mapping'],
  }
}

function presentConfirmed(
  row: WebhookFormatRow,
  sample: Sample | null,
  { strategy, closed_days, formats }: Pick<ProposalGround, 'strategy' | 'closed_days'> & { formats: Formats },
  readingOf: ReadingOf,
): WebhookFormat {
  const format = formatIn(row)
  const read = sample && readMessage(inputOf(strategy, closed_days, sample), formats)
  const values = new Map(read?.kind === 'signal' ? read.reading.map(({ path, value }) => [path, value]) : [])
  return {
    id: row.id,
    state: 'confirmed',
    name: row.name,
    fields: format.fields.map(({ path, role }) => ({ path, role, value: values.get(path) ?? null })),
    extends: null,
    sample_delivery_id: sample?.id ?? null,
    waiting_count: 0,
    proposal: read?.kind === 'signal' ? readingOf(read) : null,
    reason: null,
    field: null,
    questions: [],
    answers: format.answers,
    mapping: storedMapping(row.mapping),
  }
}

/** What a confirmed format reads a message by: nothing of the webhook's settings. */
const inputOf = (
  strategy: StrategyRow,
  closed_days: ReadonlySet<string>,
  { body, received_at }: Omit<Sample, 'id'>,
) => ({
  body,
  ...{ format: 'auto' as const, mapping: null, unparsed_rule: null },
  received_at,
  strategy: payloadStrategy(strategy),
  closed_days,
})

/** The confirmed format that lacks only a word of this one. */
function extendedBy(
  confirmed: readonly WebhookFormatRow[],
  { format }: Proposal,
): WebhookFormatRow | undefined {
  return format === null ? undefined : confirmed.find((one) => mergeFormats(formatIn(one), format) !== null)
}

const NOT_KEPT = '這則訊息的內容沒有留著，等下一則進來再確認'

/** Why a proposal cannot be confirmed as it is, null when it can: questions are asked beside it. */
function whyNot({ outcome, reason }: Proposal): string | null {
  if (outcome?.kind === 'signal') return null
  if (outcome?.kind === 'rejected' || outcome?.kind === 'ignored') return reason ?? outcome.reason
  return reason ?? '看不出這則訊息要做什麼，請指定每個欄位是什麼'
}

const UNANSWERED: Record<QuestionId, string> = {
  contracts_mean: '請選這個數字是委託的數量，還是成交後的部位',
  stock_unit: '請選股票的數字是張，還是股',
  volume_means: '請選這個數字是數量，還是不看',
  stop_means: '請選這個價格是停損停利，還是等著成交的委託',
  close_leaves: '請選這樣的訊息是多單出場，還是空單出場',
}

/** A format that may be confirmed; 4220 with what is still to be said. */
function confirmable(proposal: Proposal): Format {
  const open = proposal.questions.map(({ id }) => [`answers.${id}`, UNANSWERED[id]] as const)
  if (open.length > 0) throw invalid(Object.fromEntries(open))
  const why = whyNot(proposal)
  if (why !== null || proposal.format === null)
    throw invalid({ mapping: why ?? '看不出這則訊息要做什麼，請指定每個欄位是什麼' })
  return proposal.format
}

/**
 * From now on such messages are read like this. Those that wait and are read by now become signals of when they came, or are let
 * go. Whoever confirms it again finds it done, and is told the same.
 */
export async function confirm(
  app: App,
  tx: Tx,
  { webhook, strategy }: Ground,
  uid: string,
  input: Omit<ParsedInputOf<typeof confirmFormat>, 'id'>,
): Promise<string[]> {
  const row = await formatRow(tx.db, webhook.id, input.format_id)
  if (row.state !== 'waiting') return takenAt(tx.db, webhook.id, row.confirmed_at)
  const sample = await sampleOf(tx.db, row)
  if (sample === null) throw new ApiError(4220, { text: NOT_KEPT })
  const confirmed = await confirmedOf(tx.db, [webhook.id])
  const closed_days = closedDays(app)
  const { answers, mapping } = input
  const given = { answers, ...(mapping !== undefined && { mapping }) }
  const proposal = proposalFor({ webhook, strategy, closed_days, confirmed }, sample, given)
  const id = await store(tx, row, { ...proposal, format: confirmable(proposal) }, confirmed, uid)
  await changedFormats(tx, webhook.id, { asked_at: null, ...countedBy(webhook, mapping?.sequence) })
  const { formats } = await formatsOf(tx.db, webhook)
  const read = readMessage(inputOf(strategy, closed_days, sample), formats)
  if (read.kind !== 'signal')
    throw invalid({
      mapping: `確認之後這則訊息還是不會成為訊號：${'reason' in read ? read.reason : '它是心跳'}`,
    })
  const signal_ids = await settleWaiting(app, tx, { webhook, strategy, formats, uid }, row.id, input.waiting)
  await tellFormat(tx, { webhook, strategy }, id, 'confirmed')
  return signal_ids
}

/** The sender's own count is its webhook's: what is held is counted, too. Numbers of another field are another count. */
function countedBy({ mapping }: WebhookRow, path: string | undefined): { mapping?: string; sequence?: null } {
  const own = storedMapping(mapping)
  if (path === undefined || own?.sequence === path) return {}
  return { mapping: JSON.stringify({ ...(own ?? EMPTY_MAPPING), sequence: path }), sequence: null }
}

/** The row of a format of this webhook; 4040 else, 4220 for ours. */
async function formatRow(db: Db, webhook_id: string, id: string): Promise<WebhookFormatRow> {
  if (id.startsWith(OF_OURS)) throw new ApiError(4220, { text: '這是內建的格式，不用確認，也不能改' })
  return db
    .selectFrom('webhook_formats')
    .selectAll()
    .where('id', '=', id)
    .where('webhook_id', '=', webhook_id)
    .executeTakeFirstOrThrow(() => new ApiError(4040))
}

/** The signals of what was taken with a confirmation. */
async function takenAt(db: Db, webhook_id: string, at: string | null): Promise<string[]> {
  const rows = await db
    .selectFrom('messages')
    .select('signal_id')
    .where('webhook_id', '=', webhook_id)
    .where('replayed_at', '=', at)
    .where('outcome', 'in', ['accepted', 'late'])
    .orderBy('id')
    .execute()
  return rows.flatMap(({ signal_id }) => signal_id ?? [])
}

/** Stores what was confirmed, or adds it to the format that it is a word of; gives the id of the one that reads it now. */
async function store(
  tx: Tx,
  row: WebhookFormatRow,
  { format, mapping: said }: { format: Format; mapping: StartedProposal['mapping'] },
  confirmed: readonly WebhookFormatRow[],
  uid: string,
): Promise<string> {
  const mapping = said && JSON.stringify(said)
  const done = { confirmed_at: tx.at, confirmed_by: uid }
  const set = (id: string, columns: Partial<WebhookFormatRow>) =>
    tx.db.updateTable('webhook_formats').set(columns).where('id', '=', id).execute()
  const into = confirmed.find((one) => one.shape === row.shape || mergeFormats(formatIn(one), format))
  if (into) {
    const more = mergeFormats(formatIn(into), format) ?? format
    await set(into.id, { format: JSON.stringify(more), mapping: mapping ?? into.mapping })
    await tx.db
      .deleteFrom('webhook_formats')
      .where('webhook_id', '=', row.webhook_id)
      .where('state', '=', 'merged')
      .where('shape', '=', row.shape)
      .execute()
    await set(row.id, { ...done, state: 'merged', extends: into.id })
    return into.id
  }
  if (confirmed.length >= FORMATS_CONFIRMED_MOST)
    throw new ApiError(4220, {
      text: `一個 Webhook 最多 ${FORMATS_CONFIRMED_MOST} 種格式，請先刪除不用的`,
    })
  const name = nameAmong(confirmed.map((one) => one.name))
  await set(row.id, {
    ...done,
    state: 'confirmed',
    extends: null,
    name,
    format: JSON.stringify(format),
    mapping,
  })
  return row.id
}

const OWN_NAME = /^你的格式 (\d+)$/

/** 你的格式 1, 2, … */
export function nameAmong(names: readonly string[]): string {
  const numbers = names.map((name) => Number(OWN_NAME.exec(name)?.[1] ?? 0))
  return `你的格式 ${Math.max(0, ...numbers) + 1}`
}

/** Of what waits at the webhook everything that is read by now: taken in the order it came, or let go. */
async function settleWaiting(
  app: App,
  tx: Tx,
  on: Ground & { formats: Formats; uid: string },
  format_id: string,
  choice: 'take' | 'skip',
): Promise<string[]> {
  const { webhook, strategy } = on
  const of = { webhook_id: webhook.id, scope: strategy.scope }
  // What waited for this one waits for it no more, also where it is read by none yet.
  const { held, left } = worthReading(
    (await heldBy(tx.db, webhook.id)).map((row) =>
      row.format_id === format_id ? { ...row, format_id: null } : row,
    ),
    on,
  )
  await letGo(tx, of, left, { outcome: 'rejected', reason: TOO_LONG })
  const late_ms = strategy.late_after_s * 1_000
  const notify = ({ received_at }: DeliveryRow) => Date.parse(tx.at) - Date.parse(received_at) <= late_ms
  const wish = { ...on, dry_run: false, notify }
  const seen = (await app.intake.replay(tx, { ...wish, dry_run: true }, held)).plans
  const lost = seen.filter(({ why, delivery }) => why !== null && delivery.format_id === null)
  for (const { why, delivery } of lost)
    await letGo(tx, of, [delivery], { outcome: 'rejected', reason: why as string })
  const read = seen.filter(({ next, why }) => why === null && next.outcome !== 'held')
  if (choice === 'skip')
    await letGo(
      tx,
      of,
      read.map(({ delivery }) => delivery),
      { outcome: 'ignored', reason: '確認格式時選擇略過這一則' },
    )
  const others = seen.filter(
    ({ next, why, delivery }) => why === null && next.outcome === 'held' && delivery.format_id === null,
  )
  const now = (choice === 'take' ? [...read, ...others] : others).map(({ delivery }) => delivery)
  if (now.length === 0) return []
  now.sort((a, b) => (a.id < b.id ? -1 : 1))
  const { plans } = await app.intake.replay(tx, wish, now)
  return plans.flatMap(({ deed, next }) => (deed.kind === 'make' ? (next.signal_id ?? []) : []))
}

/** Bytes of messages that still wait for a person after a confirmation, and are proposed anew in it. */
const PROPOSED_BYTES = 400_000
const TOO_LONG = '確認的格式讀不出這一則，等著的訊息又太長，這一則不再等；可以重新解析'

/** Messages that a confirmation settles: those that are read by now, and those that waited for it; long ones up to a bound. */
function worthReading(
  waiting: readonly DeliveryRow[],
  { webhook, formats }: Ground & { formats: Formats },
): { held: DeliveryRow[]; left: DeliveryRow[] } {
  const mapping = storedMapping(webhook.mapping)
  const [held, left]: [DeliveryRow[], DeliveryRow[]] = [[], []]
  let room = PROPOSED_BYTES
  for (const row of waiting) {
    if (isTaken({ body: row.body ?? '', mapping }, formats)) held.push(row)
    else if (row.format_id === null) {
      room -= row.size
      if (room > 0) held.push(row)
      else left.push(row)
    }
  }
  return { held, left }
}

async function tellFormat(
  tx: Tx,
  { webhook, strategy }: Ground,
  id: string,
  change: 'confirmed' | 'updated' | 'deleted',
): Promise<void> {
  const of = { id, webhook_id: webhook.id, strategy_id: strategy.id, change }
  await tx.append(strategy.scope as Scope, 'format', of)
}

/** So many messages of a format are looked at when it is changed, of so many that came last. */
const LOOKED = 200
const LOOKED_AMONG = 5_000

/** Another name, or read otherwise: then it is made anew from what is kept of its messages. */
export async function update(
  app: App,
  tx: Tx,
  { webhook, strategy }: Ground,
  input: Omit<ParsedInputOf<typeof updateFormat>, 'id'>,
): Promise<WebhookFormat> {
  const row = await formatRow(tx.db, webhook.id, input.format_id)
  if (row.state !== 'confirmed') throw new ApiError(4220, { text: '這種格式還沒有確認，請先確認' })
  const { name, answers, mapping } = input
  const confirmed = (await confirmedOf(tx.db, [webhook.id])).filter(({ id }) => id !== row.id)
  const on = { webhook, strategy, closed_days: closedDays(app), confirmed }
  const old = formatIn(row)
  const format =
    answers === undefined && mapping === undefined
      ? old
      : await anew(tx.db, on, row, {
          answers: { ...old.answers, ...answers },
          mapping: mapping === undefined ? storedMapping(row.mapping) : mapping,
        })
  const columns = {
    ...(name !== undefined && { name }),
    ...(mapping !== undefined && { mapping: mapping && JSON.stringify(mapping) }),
    format: JSON.stringify(format),
  }
  await tx.db.updateTable('webhook_formats').set(columns).where('id', '=', row.id).execute()
  await changedFormats(tx, webhook.id)
  await tellFormat(tx, { webhook, strategy }, row.id, 'updated')
  const now = { ...row, ...columns }
  const { formats } = await formatsOf(tx.db, webhook)
  return presentConfirmed(
    now,
    await sampleOf(tx.db, row),
    { ...on, formats },
    await readingsOn(app, tx.db, on),
  )
}

async function anew(
  db: Db,
  on: ProposalGround,
  row: WebhookFormatRow,
  given: { answers: Format['answers']; mapping: StartedProposal['mapping'] },
): Promise<Format> {
  const rows = await inOrder('desc', LOOKED, (place) => {
    const lately = db
      .selectFrom(place)
      .select(['id', 'format_id'])
      .where('webhook_id', '=', on.webhook.id)
      .orderBy('id', 'desc')
      .limit(LOOKED_AMONG)
      .as('lately')
    const ids = db.selectFrom(lately).select('lately.id').where('lately.format_id', '=', row.id)
    return db
      .selectFrom(place)
      .select(['id', 'received_at', 'body'])
      .where('webhook_id', '=', on.webhook.id)
      .where('id', 'in', ids)
      .where('body', 'is not', null)
      .orderBy('id', 'desc')
      .limit(LOOKED)
      .execute()
  })
  const first = await sampleOf(db, row)
  const messages = [...(first ? [first] : []), ...rows.map((one) => ({ ...one, body: one.body as string }))]
  const [sample, ...others] = messages
  if (!sample)
    throw new ApiError(4220, {
      text: '這種格式的訊息都沒有留著，不能改怎麼讀；可以刪除，等下一則進來再確認',
    })
  let format = confirmable(proposalFor(on, sample, given))
  for (const other of others) {
    const more = proposalFor(on, other, given)
    if (more.questions.length === 0 && more.format !== null && whyNot(more) === null)
      format = mergeFormats(format, more.format) ?? format
  }
  return format
}

/** Such messages are asked about again; those that wait for it are let go. */
export async function remove(tx: Tx, { webhook, strategy }: Ground, format_id: string): Promise<void> {
  const row = await formatRow(tx.db, webhook.id, format_id)
  if (row.state === 'merged') throw new ApiError(4040)
  await tx.db.deleteFrom('webhook_formats').where('id', '=', row.id).execute()
  const of = { webhook_id: webhook.id, scope: strategy.scope }
  await changedFormats(tx, webhook.id)
  if (row.state === 'waiting')
    await letGo(tx, of, await heldBy(tx.db, webhook.id, row.id), {
      outcome: 'ignored',
      reason: '這種格式不採用，這一則略過',
    })
  await tellFormat(tx, { webhook, strategy }, row.id, 'deleted')
}
