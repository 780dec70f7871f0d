/* One table of words for signals: (effect, side) → label and chip, seal, filled or hollow; flags, sources and states → words (ruling C31, wire §6). */
import { ASSET_FACTS } from '#trading/kinds.ts'
import type { Asset, Flag, RecordStatus, Source } from '#trading/record.ts'
import { SOURCE_WORDS, STATUS_WORDS } from '#trading/record-words.ts'
import { late, number, shares } from './format.ts'

export {
  actedSide,
  MOVED,
  positionText,
  quantityWords,
  type SignalWords,
  SOURCE_WORDS,
  STATUS_WORDS,
  signalWords,
  type ToldRecord,
} from '#trading/record-words.ts'

/** So much of what is traded: 2 口, 3 張 500 股. */
export const sizeText: Record<Asset, (size: number) => string> = {
  futures: (size) => `${number(size)} ${ASSET_FACTS.futures.counted}`,
  stock: shares,
}

/** Seal, word and quantity of a position: futures 多 2 口, stock 多 3 張; flat has no seal and reads 空手 (never 空, which is short). */
export function positionWords(
  quantity: number,
  asset: Asset,
): { seal: string | null; word: string; held: string } {
  if (quantity === 0) return { seal: null, word: '空手', held: '空手' }
  const size = Math.abs(quantity)
  const held = sizeText[asset](size)
  const seal = quantity > 0 ? '多' : '空'
  return { seal, word: `${seal} ${held}`, held }
}

/** What a strategy holds, in few words: 空手, 多 2 口; several are counted, since no size is theirs together. */
export function heldText(positions: readonly { quantity: number }[], asset: Asset): string {
  if (positions.length > 1) return `${positions.length} 個部位`
  return positionWords(positions[0]?.quantity ?? 0, asset).word
}

/** Why an open position has no value yet, in few words; null when it has one (domain §5.4: marked to a price newer than its entry). */
export function unvalued({
  avg_price,
  unrealised_pnl,
  waits = false,
}: {
  avg_price: number | null
  unrealised_pnl: number | null
  /** What this device has not sent yet is in it. */
  waits?: boolean
}): string | null {
  if (unrealised_pnl !== null) return null
  if (waits) return '含待送出的訊號'
  return avg_price === null ? '進場價還沒確定' : '沒有報價'
}

/** What stands on a day beside its signals: `['作廢 1', '更正 1']`. */
export function besideText({ voids, corrections }: { voids: number; corrections: number }): string[] {
  return [
    ...(voids > 0 ? [`作廢 ${number(voids)}`] : []),
    ...(corrections > 0 ? [`更正 ${number(corrections)}`] : []),
  ]
}

/** Words of the flags; `late` gets its minutes in {@link stateWords}. */
export const FLAG_WORDS: Record<Flag, string> = {
  late: '延遲',
  future: '時間超前',
  out_of_order: '順序不符',
  possible_duplicate: '可能重複',
  position_gap: '部位不一致',
  off_tick: '不合檔位',
  price_suspect: STATUS_WORDS.price_suspect,
  outside_session: '非交易時段',
  symbol_mismatch: '商品不符',
  over_max_position: '超過部位上限',
  asks_short: '做空待回答',
  paused: '策略暫停中',
  default_quantity: '數量用預設',
  default_symbol: '商品用預設',
  no_source_time: '來源沒有寫時間',
  id_reused: '編號重複使用',
  other_month: '其他月份',
  unconfirmed_format: '格式未確認',
}

/** A state word with the icon and tone that `ui/StateWord` draws. */
export type SignalState = {
  text: string
  icon:
    | 'clock'
    | 'pencil'
    | 'duplicate'
    | 'void'
    | 'tray'
    | 'warning'
    | 'upload'
    | 'info'
    | 'pause'
    | 'edit'
    | 'calendar'
  tone: 'quiet' | 'plain' | 'warn' | 'wait'
}

const FLAG_LOOKS: Record<Flag, Pick<SignalState, 'icon' | 'tone'>> = {
  late: { icon: 'clock', tone: 'warn' },
  future: { icon: 'clock', tone: 'warn' },
  out_of_order: { icon: 'clock', tone: 'plain' },
  possible_duplicate: { icon: 'duplicate', tone: 'plain' },
  position_gap: { icon: 'warning', tone: 'warn' },
  off_tick: { icon: 'info', tone: 'plain' },
  price_suspect: { icon: 'warning', tone: 'warn' },
  outside_session: { icon: 'clock', tone: 'plain' },
  symbol_mismatch: { icon: 'warning', tone: 'warn' },
  over_max_position: { icon: 'warning', tone: 'warn' },
  asks_short: { icon: 'warning', tone: 'warn' },
  paused: { icon: 'pause', tone: 'quiet' },
  default_quantity: { icon: 'info', tone: 'plain' },
  default_symbol: { icon: 'info', tone: 'plain' },
  no_source_time: { icon: 'clock', tone: 'plain' },
  id_reused: { icon: 'duplicate', tone: 'warn' },
  other_month: { icon: 'info', tone: 'plain' },
  unconfirmed_format: { icon: 'warning', tone: 'warn' },
}
const STATUS_LOOKS: Record<Exclude<RecordStatus, 'ok'>, Pick<SignalState, 'icon' | 'tone'>> = {
  pending_price: { icon: 'info', tone: 'warn' },
  price_suspect: FLAG_LOOKS.price_suspect,
  voided: { icon: 'void', tone: 'quiet' },
  corrected: { icon: 'edit', tone: 'quiet' },
}

/** What a row says besides the signal, most important first: its state, then the flags, then a source that is not the usual. `waiting` puts 待送出 in front. A voided record says only that. */
export function stateWords(record: {
  status: RecordStatus
  flags: readonly Flag[]
  source: Source
  occurred_at: string
  received_at: string
  waiting?: boolean
}): SignalState[] {
  if (record.waiting) return [{ text: '待送出', icon: 'tray', tone: 'wait' }]
  if (record.status === 'voided') return [{ text: STATUS_WORDS.voided, ...STATUS_LOOKS.voided }]
  const states: SignalState[] = []
  if (record.status !== 'ok')
    states.push({ text: STATUS_WORDS[record.status], ...STATUS_LOOKS[record.status] })
  const delay = Date.parse(record.received_at) - Date.parse(record.occurred_at)
  for (const flag of record.flags)
    if (flag !== record.status)
      states.push({ text: flag === 'late' ? late(delay) : FLAG_WORDS[flag], ...FLAG_LOOKS[flag] })
  if (record.source === 'manual') states.push({ text: SOURCE_WORDS.manual, icon: 'pencil', tone: 'quiet' })
  if (record.source === 'system') states.push({ text: '到期結算', icon: 'calendar', tone: 'quiet' })
  if (record.source === 'import') states.push({ text: SOURCE_WORDS.import, icon: 'upload', tone: 'quiet' })
  return states
}
