// The form of each kind: its settings with their words, and what its page and sections say.
import { ASSET_FACTS } from '#trading/kinds.ts'
import type { StrategyKind } from '#trading/record.ts'
import { FUTURES_FIELDS } from './kinds/futures.ts'
import { STOCK_FIELDS } from './kinds/stock.ts'
import { XQ_FIELDS } from './kinds/xq-stock.ts'

/** All settings by name; no two kinds mean something else by the same one. */
export const FIELDS = { ...FUTURES_FIELDS, ...XQ_FIELDS }
export type SettingName = keyof typeof FIELDS

export interface KindForm {
  path: string
  title: string
  /** A name as somebody would give it. */
  example: string
  settings: readonly SettingName[]
  traded: { title: string; about: string }
  /** Under 數量來源: what holds when the signal decides, and when it does not. */
  amounts: { signal: string; fixed: string }
}

const names = <T extends object>(fields: T) => Object.keys(fields) as (keyof T & SettingName)[]
const SHARES = {
  signal: '照訊號寫的張數或股數；沒寫時用預設數量。',
  fixed: '不管訊號寫多少，一律用預設數量。',
}

export const KIND_FORMS: Record<StrategyKind, KindForm> = {
  futures: {
    path: '/strategies/create/futures',
    title: '新增期貨策略',
    example: '台指當沖突破',
    settings: names(FUTURES_FIELDS),
    traded: { title: ASSET_FACTS.futures.chosen, about: '只收這個商品的訊號。' },
    amounts: {
      signal: '照訊號寫的口數；沒寫時用預設數量。',
      fixed: '不管訊號寫幾口，一律用預設數量。',
    },
  },
  stock: {
    path: '/strategies/create/stock',
    title: '新增股票策略',
    example: '權值股波段',
    settings: names(STOCK_FIELDS),
    traded: { title: ASSET_FACTS.stock.chosen, about: '訊號的代號要在這裡面；不在的預設拒絕。' },
    amounts: SHARES,
  },
  'xq-stock': {
    path: '/strategies/create/xq-stock',
    title: '新增 XQ 股票策略',
    example: '季線突破雷達',
    settings: names(XQ_FIELDS),
    traded: { title: ASSET_FACTS.stock.chosen, about: '訊號的代號要在這裡面；不在的預設拒絕。' },
    amounts: SHARES,
  },
}
