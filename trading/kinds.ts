// What sets the kinds of strategies apart in the market: what each trades, in which units, what its signals carry, what it starts with.
import {
  type Asset,
  type ContractRule,
  type Direction,
  STRATEGY_KINDS,
  type StrategyKind,
  type Unit,
} from './record.ts'

/** Shares in a board lot (張). */
export const BOARD_LOT = 1000

/** A unit's word, how many lots or shares one of it is, and the largest default quantity and position counted in it (wire §4). */
export const UNIT_FACTS: Record<Unit, { word: string; size: number; most: number; most_position: number }> = {
  lot: { word: '口', size: 1, most: 999, most_position: 1_000 },
  board_lot: { word: '張', size: BOARD_LOT, most: 1_000, most_position: 10_000 },
  share: { word: '股', size: 1, most: 999_999, most_position: 10_000_000 },
}

/**
 * Words and units of what is traded. `chosen`: one of them, where there are several to choose from. `unit`, as a word `counted`: of its records; `priced`: of its prices; `open_pnl`: what a
 * position would bring; `codes`: how it is written; `tax_rate`: what is said of the tax, where it is one rate. `each`: what the figures of each single one are called, where a strategy trades many; `rules`: what its rules on
 * single signals are called.
 */
export const ASSET_FACTS: Record<
  Asset,
  {
    name: string
    traded: string
    codes: readonly [string, string]
    chosen: string
    unit: Unit
    counted: string
    priced: string
    open_pnl: string
    tax: string
    tax_rate: string | null
    each: string | null
    /** Part of its market trades at night, into the next trading date. */
    has_night: boolean
    rules: string | null
  }
> = {
  futures: {
    name: '期貨',
    traded: '商品',
    codes: ['TXF1!', 'MXF202612'],
    chosen: '商品',
    unit: 'lot',
    counted: UNIT_FACTS.lot.word,
    priced: '點',
    open_pnl: '未平倉損益',
    tax: '期交稅',
    tax_rate: '十萬分之二',
    each: null,
    has_night: true,
    rules: null,
  },
  stock: {
    name: '股票',
    traded: '代號',
    codes: ['2330', '0050'],
    chosen: '股票',
    unit: 'share',
    counted: UNIT_FACTS.share.word,
    priced: '元',
    open_pnl: '未實現損益',
    tax: '證交稅',
    tax_rate: null,
    each: '個股統計',
    has_night: false,
    rules: '訊號設定',
  },
}

/** What strategies of stocks may count in; the first is where they start. */
export const STOCK_UNITS = ['board_lot', 'share'] as const satisfies readonly Unit[]

/**
 * What decides a fold while it is not written: a new strategy starts with it (contract/kinds/), and one that was kept from before the
 * setting existed is folded with it (terms.ts).
 */
export const FUTURES_START = { contract_rule: 'near' } as const satisfies { contract_rule: ContractRule }
export const STOCK_START = {
  unit: STOCK_UNITS[0],
  commission_rate: 0.001425,
  commission_discount: 0.6,
  min_fee: 20,
  odd_lot_min_fee: 1,
  allow_day_trade: false,
} as const

interface KindFacts {
  name: string
  asset: Asset
  /** What a strategy may count in; the first is where it starts. */
  units: readonly [Unit, ...Unit[]]
  direction: Direction
  /** NT$. */
  initial_capital: number
  /** Its signals name a month of a contract, which ends. */
  has_contract: boolean
  /** Its messages may name no action: the strategy says what a trigger means. */
  triggers: boolean
  /** Its past comes in files (原始資料). */
  files: boolean
}

const STOCK: KindFacts = {
  name: ASSET_FACTS.stock.name,
  asset: 'stock',
  units: STOCK_UNITS,
  direction: 'long',
  initial_capital: 1_000_000,
  has_contract: false,
  triggers: false,
  files: false,
}

export const KINDS: Record<StrategyKind, KindFacts> = {
  futures: {
    name: ASSET_FACTS.futures.name,
    asset: 'futures',
    units: ['lot'],
    direction: 'both',
    initial_capital: 500_000,
    has_contract: true,
    triggers: false,
    files: false,
  },
  stock: STOCK,
  'xq-stock': { ...STOCK, name: 'XQ 股票', triggers: true, files: true },
}

/** What strategies of a kind trade; xq-stock stands among the stocks. */
export function assetOf({ kind }: { kind: StrategyKind }): Asset {
  return KINDS[kind].asset
}

/** What a list that asks for one kind shows: stock asks for everything that trades stocks. */
export function kindsUnder(kind: StrategyKind): readonly StrategyKind[] {
  return kind === KINDS[kind].asset ? STRATEGY_KINDS.filter((one) => KINDS[one].asset === kind) : [kind]
}

/** What a strategy's own quantities are counted in. */
export function unitOf({ kind, settings }: { kind: StrategyKind; settings: object }): Unit {
  const unit = 'unit' in settings ? KINDS[kind].units.find((one) => one === settings.unit) : undefined
  return unit ?? KINDS[kind].units[0]
}
