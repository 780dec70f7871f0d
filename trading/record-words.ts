// What a record did, in words: screens and messages say the same (ruling C31, wire §6).
import { UNIT_FACTS } from './kinds.ts'
import type { Action, Asset, Effect, RecordStatus, Side, Source, Unit } from './record.ts'
import { number, position, shares } from './written.ts'

export const SOURCE_WORDS: Record<Source, string> = {
  webhook: 'Webhook',
  manual: '手動',
  import: '匯入',
  void: '作廢',
  correction: '更正',
  system: '系統',
}

const NO_MOVE = '未動作'

/** The effects without a side, as filters name them. */
export const EFFECT_WORDS: Record<Effect, string> = {
  open: '進場',
  add: '加碼',
  reduce: '減碼',
  close: '平倉',
  reverse: '反手',
  none: NO_MOVE,
}

/** Words of the record's state; ok says nothing. */
export const STATUS_WORDS: Record<Exclude<RecordStatus, 'ok'>, string> = {
  pending_price: '待補價',
  price_suspect: '價格可疑',
  voided: '已作廢',
  corrected: '已更正',
}

/** What the words of a record depend on; SignalRecord fits. */
export type ToldRecord = {
  asset: Asset
  effect: Effect
  /** Side after the record. */
  side: Side
  /** Signed, lots or shares. */
  position_before: number
}

/** Words of one record: `word` 多單進場, the same wherever it is told; `seal` 多空買賣無; `solid` filled: opens or adds. */
export type SignalWords = { word: string; seal: string; solid: boolean }

type Acted = 'long' | 'short'

type Moved = Record<Exclude<Effect, 'none'>, Record<Acted, string>>

const COMMON = {
  add: { long: '加碼', short: '加碼' },
  reduce: { long: '減碼', short: '減碼' },
  reverse: { long: '反手做多', short: '反手做空' },
} as const
/** What a record did, never what its sender wrote (docs/words.md). */
export const MOVED: Record<Asset, Moved> = {
  futures: {
    ...COMMON,
    open: { long: '多單進場', short: '空單進場' },
    close: { long: '平倉', short: '平倉' },
  },
  stock: {
    ...COMMON,
    open: { long: '買進', short: '放空' },
    close: { long: '賣出', short: '回補' },
  },
}

/** Side that the record acts on: what it opens, or what it reduces and closes. Flat when it did nothing on an empty position. */
export function actedSide({ effect, side, position_before }: Omit<ToldRecord, 'asset'>): Side {
  if (effect === 'open' || effect === 'add' || effect === 'reverse') return side
  return position_before > 0 ? 'long' : position_before < 0 ? 'short' : 'flat'
}

/** What a seal names: the position that stands, or the order that was given. */
const SEALED_BY: Record<Asset, 'position' | 'order'> = { futures: 'position', stock: 'order' }
const SEALS: Record<Asset, Record<Acted, string>> = {
  futures: { long: '多', short: '空' },
  stock: { long: '買', short: '賣' },
}

/** The words of a record. Futures seals name the position (多 空), stock seals the order (買 賣): a sold share is 賣, hollow. */
export function signalWords(told: ToldRecord): SignalWords {
  const acted = actedSide(told)
  if (told.effect === 'none' || acted === 'flat') return { word: NO_MOVE, seal: '無', solid: false }
  const solid = told.effect === 'open' || told.effect === 'add' || told.effect === 'reverse'
  const buys = solid === (acted === 'long')
  const seal = SEALS[told.asset][SEALED_BY[told.asset] === 'order' ? (buys ? 'long' : 'short') : acted]
  return { word: MOVED[told.asset][told.effect][acted], seal, solid }
}

const POSITION_TEXT: Record<Asset, (quantity: number) => string> = { futures: position, stock: shares }

/** A position as the rows' 「0 → +2」 shows it: futures signed lots, stock 張 and 股. */
export function positionText(quantity: number, asset: Asset): string {
  return POSITION_TEXT[asset](quantity)
}

/** Quantity (lots or SHARES) in its unit: `{ quantity: '2', unit: '口' }`; null = all. Odd shares never hide behind 張. */
export function quantityWords(quantity: number | null, unit: Unit): { quantity: string; unit: string } {
  if (quantity === null) return { quantity: '全部', unit: '' }
  const own = UNIT_FACTS[unit]
  const { size, word } = quantity % own.size === 0 ? own : UNIT_FACTS.share
  return { quantity: number(quantity / size), unit: word }
}

// What the product calls each action a signal may ask for, before folding says what it did. Screens and exports show these words,
// and the reader knows them (docs: domain §4.5, rule 7), so a message may be written with them.
/** Taiwan's words of the actions. */
export const ACTION_WORDS: Readonly<Record<Action, string>> = {
  buy: '買進',
  sell: '賣出',
  long_entry: '多單進場',
  long_exit: '多單出場',
  short_entry: '空單進場',
  short_exit: '空單出場',
  close_all: '全部平倉',
  target: '目標部位',
  exit: '出場',
  add: '加碼',
  reverse: '反手',
}
