// The webhook fixtures of domain §4.6 as they lie on disk, for these tests and for the server's.
import { readdirSync, readFileSync } from 'node:fs'
import type { PayloadInput, ReadSignal, UnparsedRule } from '#trading/reader/shape.ts'

export interface WebhookFixture {
  /** `tradingview/b-strategy`. */
  path: string
  title: string
  strategy: PayloadInput['strategy']
  received_at: string
  body: string
  unparsed_rule?: UnparsedRule
  expect: {
    kind: 'signal' | 'rejected'
    time_given?: boolean
    dedupe?: unknown
    flags?: string[]
    signal?: Partial<ReadSignal>
    extras?: Record<string, unknown>
    reason_code?: string
    reason?: string
  }
}

const ROOT = new URL('../fixtures/webhooks/', import.meta.url)

/** Every fixture, by source and letter. */
export function webhookFixtures(): WebhookFixture[] {
  const sources = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return sources.flatMap(({ name: source }) =>
    readdirSync(new URL(`${source}/`, ROOT))
      .filter((file) => file.endsWith('.json'))
      .map((file) => ({
        path: `${source}/${file.replace('.json', '')}`,
        ...(JSON.parse(readFileSync(new URL(`${source}/${file}`, ROOT), 'utf8')) as Omit<
          WebhookFixture,
          'path'
        >),
      })),
  )
}

/** The fixture as readPayload's input. */
export function inputOf(fixture: WebhookFixture): PayloadInput {
  const { body, received_at, strategy, unparsed_rule = null } = fixture
  return { body, format: 'auto', mapping: null, unparsed_rule, received_at, strategy }
}
