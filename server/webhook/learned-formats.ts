// Webhooks from before there were formats: what their senders wrote lately was read, and how. Those formats are confirmed as they
// were read, so that nobody's feed stops (docs/decisions/reader.md). Stored in one go for each webhook: who stops before begins it anew.

import { FORMATS_CONFIRMED_MOST, FORMATS_WAITING_MOST } from '#contract/limits.ts'
import type { Format } from '#trading/reader/format.ts'
import { compileFormats, type Formats, mergeFormats, readMessage } from '#trading/reader/read.ts'
import type { PayloadInput, UnparsedRule } from '#trading/reader/shape.ts'
import type { NormalSignal } from '#trading/record.ts'
import type { App, Tx } from '../context.ts'
import { held } from '../db/query.ts'
import type { DeliveryRow, StrategyRow, WebhookFormatRow, WebhookRow } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import { newId } from '../ids.ts'
import { changedFormats, compiledOf, confirmedOf, noteUsed, proposalFor } from '../ingest/format-store.ts'
import { payloadStrategy, storedMapping } from '../ingest/judge.ts'
import type { Job } from '../jobs/jobs.ts'
import { closedDays } from '../record/calendar.ts'
import { inOrder } from '../usage/messages.ts'
import { nameAmong } from './formats.ts'

type Around = Pick<App, 'db' | 'engine' | 'background' | 'config' | 'log' | 'now' | 'events'>
/** Messages of one piece of the work: some milliseconds. */
const AT_ONCE = 50

type Kept = Pick<DeliveryRow, 'id' | 'received_at' | 'normal'> & { body: string }
interface Learned {
  shape: string
  format: Format
  mapping: string | null
  sample_delivery_id: string
}

/** Looks through what a webhook has received, and confirms the formats that read it as it was read. */
export async function learnFormats(app: Around, job: Job<'learn-formats'>): Promise<void> {
  const { key: id, owner: scope } = job
  const { db, background } = app
  const found = await db
    .selectFrom('webhooks')
    .innerJoin('strategies', 'strategies.id', 'webhooks.strategy_id')
    .selectAll('webhooks')
    .select('strategies.id as of')
    .where('webhooks.id', '=', id)
    .executeTakeFirst()
  if (!found) return
  const { of, ...webhook } = found
  const strategy = await db.selectFrom('strategies').selectAll().where('id', '=', of).executeTakeFirst()
  if (!strategy) return
  const learner = new Learner(webhook, strategy, closedDays(app))
  for (let after: string | null = ''; after !== null; ) {
    if (job.over) return
    const from: string = after
    after = await background.piece(scope, async () => {
      const page = await pageOf(app, id, from)
      for (const one of page) learner.take(one)
      return page.length < AT_ONCE ? null : (page.at(-1)?.id ?? null)
    })
  }
  await store(app, job, strategy.id, learner)
}

async function pageOf({ db }: Around, webhook_id: string, after: string): Promise<Kept[]> {
  const rows = await inOrder('asc', AT_ONCE, (place) =>
    db
      .selectFrom(place)
      .select(['id', 'received_at', 'body', 'normal'])
      .where('webhook_id', '=', webhook_id)
      .where('id', '>', after)
      .where('outcome', 'in', ['accepted', 'late'])
      .where('test', '=', 0)
      .where('body', 'is not', null)
      .where('body_encoding', '=', 'utf-8')
      .orderBy('id')
      .limit(AT_ONCE)
      .execute(),
  )
  return rows.map((row) => ({ ...row, body: row.body as string }))
}

/** Once, whoever comes first: the strategy is held, as by every change of a format. */
function store(
  app: Around,
  job: Job<'learn-formats'>,
  strategy_id: string,
  { learned, unlearned, used }: Learner,
): Promise<void> {
  const webhook_id = job.key
  return inTransaction(app, async (tx) => {
    await held(app, tx.db.selectFrom('strategies').select('id').where('id', '=', strategy_id)).execute()
    await job.mine(tx)
    const webhook = await tx.db
      .selectFrom('webhooks')
      .select(['id', 'formats_used', 'formats_due'])
      .where('id', '=', webhook_id)
      .executeTakeFirst()
    if (webhook?.formats_due !== 1) return
    const known = await confirmedOf(tx.db, [webhook_id])
    const names = known.map(({ name }) => name)
    const shapes = new Set(known.map(({ shape }) => shape))
    const rows = learned
      .filter(({ shape }) => !shapes.has(shape))
      .slice(0, Math.max(0, FORMATS_CONFIRMED_MOST - known.length))
      .map(({ shape, format, mapping, sample_delivery_id }): WebhookFormatRow => {
        const name = nameAmong(names)
        names.push(name)
        return {
          ...{ id: newId(), webhook_id, state: 'confirmed', shape, extends: null, name },
          ...{ format: JSON.stringify(format), mapping, sample_delivery_id },
          ...{ taken_before: 1, created_at: tx.at, confirmed_at: tx.at, confirmed_by: null },
        }
      })
    if (rows.length > 0) await tx.db.insertInto('webhook_formats').values(rows).execute()
    await leaveAsking(tx, webhook_id, unlearned)
    await noteUsed(
      tx,
      [...used].map((format_id) => ({ webhook, format_id })),
    )
    await changedFormats(tx, webhook_id, { formats_due: 0 })
  })
}

/** What was taken, and one message of it does not say how: asked about when the next one comes, and taken as before for a while. */
async function leaveAsking(
  tx: Tx,
  webhook_id: string,
  unlearned: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [shape, sample_delivery_id] of [...unlearned].slice(-FORMATS_WAITING_MOST))
    await tx.db
      .insertInto('webhook_formats')
      .values({
        ...{ id: newId(), webhook_id, state: 'waiting', shape, extends: null, name: '', format: null },
        ...{ mapping: null, sample_delivery_id, taken_before: 1, created_at: tx.at },
        ...{ confirmed_at: null, confirmed_by: null },
      })
      .onConflict((conflict) =>
        conflict.columns(['webhook_id', 'state', 'shape']).doUpdateSet({ taken_before: 1 }),
      )
      .execute()
}

/** Goes through a webhook's messages, and keeps the formats that read them as they were read. */
class Learner {
  readonly learned: Learned[] = []
  /** By shape, what no format reads as it was read then: one message of each. */
  readonly unlearned = new Map<string, string>()
  /** Of our own. */
  readonly used = new Set<string>()
  readonly #webhook: WebhookRow
  readonly #strategy: StrategyRow
  readonly #closed_days: ReadonlySet<string>
  #formats: Formats

  constructor(webhook: WebhookRow, strategy: StrategyRow, closed_days: ReadonlySet<string>) {
    this.#webhook = webhook
    this.#strategy = strategy
    this.#closed_days = closed_days
    this.#formats = compiledOf(webhook, [])
  }

  take(message: Kept): void {
    if (message.normal === null) return
    const was = meaning(JSON.parse(message.normal) as NormalSignal)
    const { body, received_at } = message
    const { format, mapping, unparsed_rule } = this.#webhook
    const input = {
      ...{ body, received_at, format: format as PayloadInput['format'], mapping: storedMapping(mapping) },
      unparsed_rule: unparsed_rule === null ? null : (JSON.parse(unparsed_rule) as UnparsedRule),
      strategy: payloadStrategy(this.#strategy),
      closed_days: this.#closed_days,
    }
    const read = readMessage(input, this.#formats)
    // What our own format reads is read by it from now on, whatever it was before.
    if (read.kind !== 'held') {
      if (read.kind === 'signal' && read.format_id?.startsWith('builtin:')) this.used.add(read.format_id)
      return
    }
    const found = this.#as(was, message)
    if (!found) {
      this.unlearned.set(read.shape, message.id)
      return
    }
    for (const one of this.learned) {
      const grown = one.shape === found.shape ? one.format : mergeFormats(one.format, found.format)
      if (!grown) continue
      one.format = grown
      this.#compile()
      return
    }
    this.learned.push(found)
    this.#compile()
  }

  #compile(): void {
    const own = this.learned.map(({ format }, i) => ({ id: String(i), format }))
    this.#formats = compileFormats(own, this.#webhook.format === 'multicharts')
  }

  /** The format that reads a message as it was read then; what it asks is answered by that. */
  #as(was: string, message: Kept): Learned | null {
    const on = {
      webhook: this.#webhook,
      strategy: this.#strategy,
      closed_days: this.#closed_days,
      confirmed: [],
    }
    const answers: Record<string, string> = {}
    for (;;) {
      const proposal = proposalFor(on, message, { answers, mapping: storedMapping(this.#webhook.mapping) })
      const [question] = proposal.questions
      if (!question) {
        const fits = proposal.outcome?.kind === 'signal' && meaning(proposal.outcome.normal) === was
        return fits && proposal.format
          ? {
              ...{ shape: proposal.shape, format: proposal.format, sample_delivery_id: message.id },
              mapping: this.#webhook.mapping,
            }
          : null
      }
      const right = question.options.find(
        ({ outcome }) => outcome?.kind === 'signal' && meaning(outcome.normal) === was,
      )
      if (!right || question.id in answers) return null
      answers[question.id] = right.value
    }
  }
}

/** What of a reading makes the signal. Where its source stood before is worked out of more than it was. */
function meaning(normal: NormalSignal): string {
  const { symbol, contract, action, quantity, target_position, price } = normal
  return JSON.stringify([symbol, contract, action, quantity, target_position, price])
}
