// How a message that nobody has confirmed would be read: what a person is shown, and what the alarm says of it.

import type { Answers, Proposal } from '#trading/reader/format.ts'
import { proposeFormat } from '#trading/reader/read.ts'
import type { Mapping } from '#trading/reader/shape.ts'
import type { Db, DeliveryRow, StrategyRow, WebhookFormatRow, WebhookRow } from '../db/schema.ts'
import { formatIn } from './formats.ts'
import { storedMapping } from './payload-mapping.ts'
import { payloadStrategy } from './payload-strategy.ts'

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
