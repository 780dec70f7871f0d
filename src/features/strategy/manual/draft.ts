// What has been entered of a manual signal, as the sheet holds it.
import type { ManualAction } from '#trading/manual.ts'
import type { Unit } from '#trading/record.ts'

export interface EntryDraft {
  symbol: string
  /** C1, C2 or a month of futures; null of stocks. */
  contract: string | null
  /** The key that is chosen; the first there is while none is. */
  action: ManualAction | null
  quantity: string
  unit: Unit
  price: string
  /** `YYYY-MM-DDTHH:mm` in Taipei; empty is now. */
  at: string
  note: string
  /** Whether whoever follows is told; null while nobody has said: then by its age. */
  notify: boolean | null
}
