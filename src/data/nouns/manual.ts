// Signals entered by hand: sent through the outbox, and what of them waits on this device.

import type { OutboxRow } from '#contract/outbox.ts'
import { sendManualFutures, sendManualStock } from '#contract/signal.ts'
import type { ManualEntry } from '#trading/manual.ts'
import type { Asset } from '#trading/record.ts'
import { fetchUntold, getData, write } from '../current.ts'

export interface Entering {
  asset: Asset
  strategy_id: string
  /** Of the record it becomes, made once. */
  id: string
  entry: ManualEntry
  note: string
  /** As the person said; null leaves it to its age. */
  notify: boolean | null
  /** What it is, for 待送匣. */
  label: string
  /** Key of a refused one that it takes the place of. */
  instead: string | null
  /** How long it may go by itself. */
  lasts_ms: number
}

export const manualMutations = {
  send: () =>
    write(async ({ asset, strategy_id, id, entry, note, notify, label, instead, lasts_ms }: Entering) => {
      const { outbox } = getData()
      const posting = { label, lasts_ms, ...(instead !== null && { instead }) }
      const { symbol, contract, unit, ...rest } = entry
      const said = { ...rest, strategy_id, id, ...(note && { note }), ...(notify !== null && { notify }) }
      return asset === 'futures'
        ? outbox.send(
            sendManualFutures,
            { ...said, product_code: symbol, ...(contract && { contract }) },
            posting,
          )
        : outbox.send(sendManualStock, { ...said, symbol, ...(unit && { unit }) }, posting)
    }, fetchUntold),
}

/** An entry as it waits in the outbox. */
export function entryOf({ body }: Pick<OutboxRow, 'body'>): ManualEntry {
  const {
    product_code,
    symbol = product_code,
    ...rest
  } = body as unknown as ManualEntry & {
    product_code: string
  }
  return { ...rest, symbol }
}
