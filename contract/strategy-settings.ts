// What a strategy of each kind is set to, from the descriptors of the kinds: as stored, and as written with what is left out filled in.
import * as z from 'zod/mini'
import { FUTURES_SETTINGS } from './kinds/futures.ts'
import { startsOf, storedOf, writableOf, writtenOf } from './kinds/setting.ts'
import { STOCK_SETTINGS } from './kinds/stock.ts'
import { XQ_SETTINGS } from './kinds/xq-stock.ts'

export const futures_settings = z.object(storedOf(FUTURES_SETTINGS))
export const stock_settings = z.object(storedOf(STOCK_SETTINGS))
export const xq_settings = z.object(storedOf(XQ_SETTINGS))
export type FuturesSettings = z.infer<typeof futures_settings>
export type StockSettings = z.infer<typeof stock_settings>
export type XqSettings = z.infer<typeof xq_settings>

/** A kind with its settings as they are stored. */
export type KindSettings =
  | { kind: 'futures'; settings: FuturesSettings }
  | { kind: 'stock'; settings: StockSettings }
  | { kind: 'xq-stock'; settings: XqSettings }

export const futures_input = z.object(writtenOf(FUTURES_SETTINGS))
export const stock_input = z.object(writtenOf(STOCK_SETTINGS))
export const xq_input = z.object(writtenOf(XQ_SETTINGS))

/** What of each kind may be changed; a call may name them all, those of another kind are dropped. */
export const CHANGEABLE = {
  futures: writableOf(FUTURES_SETTINGS),
  stock: writableOf(STOCK_SETTINGS),
  'xq-stock': writableOf(XQ_SETTINGS),
}

/** Of each kind what its settings start with. */
export const STARTS = {
  futures: startsOf(FUTURES_SETTINGS),
  stock: startsOf(STOCK_SETTINGS),
  'xq-stock': startsOf(XQ_SETTINGS),
}
