// The message a test sends when the person brings none: what this webhook's sender would plausibly write.

import type { Mapping } from '#contract/webhook.ts'
import { taipei } from '#trading/calendar.ts'
import { exampleLevelOf, exampleSymbol } from '#trading/examples.ts'
import type { Db, StrategyRow, WebhookRow } from '../db/schema.ts'
import { settingsOf } from '../db/settings.ts'
import { confirmedOf } from '../ingest/formats.ts'
import { storedMapping } from '../ingest/payload-mapping.ts'
import { sampleOf } from '../ingest/proposal.ts'

/** A message of the format that was confirmed last, as it came; null where none is kept. */
export async function confirmedSample(db: Db, { id }: WebhookRow): Promise<string | null> {
  for (const row of (await confirmedOf(db, [id])).toReversed()) {
    const sample = await sampleOf(db, row)
    if (sample) return sample.body
  }
  return null
}

/** A body in the webhook's own format and mapping, for the strategy's own product, fired `at`. */
export function sampleBody(webhook: WebhookRow, strategy: StrategyRow, at: string): string {
  const { settings } = settingsOf(strategy)
  const values = {
    symbol: exampleSymbol(settings),
    action: strategy.direction === 'short' ? 'short_entry' : 'long_entry',
    quantity: strategy.default_quantity,
    price: exampleLevelOf(settings),
    time: at,
  }
  const mapping = storedMapping(webhook.mapping)
  if (mapping) return JSON.stringify(laidOut(values, mapping))
  if (webhook.format === 'multicharts') {
    const { date, time } = taipei(at)
    const printed = `${date} ${time}`.replaceAll(/[-:]/g, '')
    return `${printed} ${values.symbol} ${values.price} ${strategy.direction === 'short' ? 'SellShort' : 'Buy'}`
  }
  const { time: timenow, ...rest } = values
  return JSON.stringify({ ...rest, timenow })
}

/** The values at the places the mapping reads them from; unmapped ones under their own names. */
function laidOut(values: Record<string, string | number>, mapping: Mapping): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(values)) {
    const source = mapping.fields[field as keyof Mapping['fields']]
    if (typeof source === 'object') continue
    const said = field === 'action' ? (wordFor(String(value), mapping) ?? value) : value
    const path = (source ?? (field === 'time' ? 'timenow' : field)).split('.')
    const last = path.pop() as string
    let node = body
    for (const part of path) {
      const next = typeof node[part] === 'object' && node[part] !== null ? node[part] : {}
      node[part] = next
      node = next as Record<string, unknown>
    }
    node[last] = said
  }
  return body
}

/** The sender's own word for an action, when the mapping knows one. */
function wordFor(action: string, mapping: Mapping): string | undefined {
  return Object.entries(mapping.words).find(([, meant]) => meant === action)?.[0]
}
