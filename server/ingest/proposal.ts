// How a message that nobody has confirmed would be read: what a person is shown, and what the alarm says of it.
import type { Mapping } from '#trading/payload/shape.ts'
import type { Answers, Proposal } from '#trading/reader/format.ts'
import { proposeFormat } from '#trading/reader/read.ts'
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

/** The proposal for a message; `row` the format that it waits for. What is not given is as in the format that it extends, else as the webhook's. */
export function proposalFor(
  { webhook, strategy, closed_days, confirmed }: ProposalGround,
  { body, received_at }: Omit<Sample, 'id'>,
  row: Pick<WebhookFormatRow, 'extends'>,
  given: { answers?: Answers; mapping?: Mapping | null | undefined } = {},
): Proposal {
  const extended = confirmed.find(({ id }) => id === row.extends)
  const own = extended ? formatIn(extended).mapping : storedMapping(webhook.mapping)
  return proposeFormat({
    body,
    format: webhook.format as Parameters<typeof proposeFormat>[0]['format'],
    mapping: given.mapping === undefined ? own : given.mapping,
    // What is taken without being read is nothing to confirm.
    unparsed_rule: null,
    received_at,
    strategy: payloadStrategy(strategy),
    closed_days,
    answers: Object.assign({}, ...confirmed.map((one) => formatIn(one).answers), given.answers) as Answers,
  })
}
