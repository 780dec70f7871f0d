/* A record as the rows of every screen show it: each text of ui/SignalRow, ready. */
import type { SignalRecord } from '#contract/signal.ts'
import { askedEffect, wished } from '#trading/asked.ts'
import { sideOf } from '#trading/fold/state.ts'
import { findProduct, tickAt } from '#trading/products.ts'
import { ACTION_WORDS } from '#trading/record-words.ts'
import { decimals, fixed, hms, number } from './format.ts'
import {
  FLAG_WORDS,
  positionText,
  quantityWords,
  type SignalState,
  signalWords,
  stateWords,
  type ToldRecord,
} from './signal.ts'
import { contractText } from './strategy.ts'

/** 大台 12月, 2603 長榮; of a void or correction of what was before one's first day nothing is known. */
export function productText(
  record: Pick<SignalRecord, 'asset' | 'symbol' | 'symbol_name' | 'contract'>,
): string {
  if (!record.symbol) return '先前的訊號'
  if (record.asset === 'stock')
    return record.symbol_name === record.symbol ? record.symbol : `${record.symbol} ${record.symbol_name}`
  const name = findProduct(record.symbol)?.short_name ?? record.symbol_name
  return `${name} ${contractText(record.contract)}`.trim()
}

/** A price with at least the decimals of its tick; what lies off the tick (an average) is not cut. */
export function priceText(
  record: Pick<SignalRecord, 'asset' | 'symbol' | 'trading_date'>,
  value: number,
): string {
  return number(value, Math.max(decimals(tickAt(record, value, record.trading_date)), decimals(value)))
}

/** An average is written the same everywhere: with the decimals of its tick, and two at most where it lies between. */
export function averageText(
  record: Pick<SignalRecord, 'asset' | 'symbol' | 'trading_date'>,
  value: number,
): string {
  const least = decimals(tickAt(record, value, record.trading_date))
  return number(value, Math.max(least, Math.min(2, decimals(fixed(value, 2)))))
}

/** The price that counts: a correction's, else the one it came with. */
export function priceOf({ price, derived }: Pick<SignalRecord, 'price' | 'derived'>): number | null {
  return derived.status === 'corrected' ? (derived.price_used ?? price) : (price ?? derived.price_used)
}

const asked = (action: SignalRecord['action'], seal: string) => ({ word: ACTION_WORDS[action], seal })
/** What an action asks for, before anything is known of what it did. */
export const ASKED: Record<SignalRecord['action'], ReturnType<typeof asked>> = {
  buy: asked('buy', '買'),
  sell: asked('sell', '賣'),
  long_entry: asked('long_entry', '多'),
  long_exit: asked('long_exit', '多'),
  short_entry: asked('short_entry', '空'),
  short_exit: asked('short_exit', '空'),
  close_all: asked('close_all', '平'),
  target: asked('target', '標'),
  exit: asked('exit', '平'),
  add: asked('add', '加'),
  reverse: asked('reverse', '反'),
}
/** What a row has room for. */
const REASON_SHOWN = 14

/** Why it was voided or corrected, in a word. */
function aboutState({ source, reason, note, symbol }: SignalRecord): SignalState {
  const told = !symbol ? '內容不顯示' : source === 'void' ? reason : note
  const text = told
    ? [...told].length > REASON_SHOWN
      ? `${[...told].slice(0, REASON_SHOWN).join('')}…`
      : told
    : '價格'
  return { text, icon: source === 'void' ? 'void' : 'edit', tone: 'quiet' }
}

/** Seal and word; a void or correction is about another record and says so. */
export function wordsOf(record: SignalRecord): ReturnType<typeof signalWords> {
  if (record.source === 'void') return { word: '作廢', seal: '廢', solid: false }
  if (record.source === 'correction') return { word: '更正', seal: '正', solid: false }
  const moved = movedBy(record)
  // What found nothing to do says what it had asked for.
  if (moved.effect === 'none') return { ...ASKED[record.action], solid: false }
  return signalWords(moved)
}

/** How much a record speaks of; a wished position is its own size, not 全部. */
export function amountOf({ action, quantity, target_position, unit }: SignalRecord) {
  const size = action === 'target' && target_position !== null ? Math.abs(target_position) : null
  return quantityWords(quantity ?? size, unit)
}

/** Texts of one row; the strategy's name is left out inside one strategy. */
export function rowOf(record: SignalRecord, strategy: string | null) {
  const { derived } = record
  const words = wordsOf(record)
  const about = record.source === 'void' || record.source === 'correction'
  const used = priceOf(record)
  const change = movedBy(record)
  const moved = change.effect !== 'none'
  const states = about ? [aboutState(record)] : stateWords({ ...record, status: derived.status }).slice(0, 2)
  if (!about && !moved && derived.none_reason && derived.status !== 'voided') {
    // what waits for an answer says so once, in its short word: beside a price there is no room for the sentence
    const asks = record.flags.includes('asks_short')
    const why = asks ? FLAG_WORDS.asks_short : derived.none_reason
    states.splice(
      0,
      2,
      { text: `未動作：${why}`, icon: 'info', tone: 'plain' },
      ...(asks ? [] : states.slice(0, 1)),
    )
  }
  return {
    seal: words.seal,
    solid: words.solid,
    action: words.word,
    product: productText(record),
    ...(about ? {} : amountOf(record)),
    price: used === null ? (about ? '' : null) : priceText(record, used),
    time: hms(record.occurred_at),
    dateTime: record.occurred_at,
    strategy,
    states,
    before: moved ? positionText(change.position_before, record.asset) : null,
    after: moved ? positionText(change.position_after, record.asset) : null,
    pnl: derived.status === 'voided' ? null : derived.realised_pnl,
    voided: derived.status === 'voided',
  }
}

/* What a voided signal had been: folded away it moves nothing, but its row keeps its action, struck through. */

type Voided = Pick<
  SignalRecord,
  'action' | 'asset' | 'quantity' | 'reason' | 'target_position' | 'source'
> & { derived: Pick<SignalRecord['derived'], 'effect' | 'position_before' | 'side' | 'status'> }

/** A record as its words want it; `position_after` where it moved the position, or would have. */
export type Moved = ToldRecord & { position_after: number }

/** As it was folded; of a voided signal what it asked of the position that it met. */
export function movedBy(record: Voided & { derived: { position_after: number } }): Moved {
  const { asset, source, derived } = record
  const { status, effect, position_before: before } = derived
  if (status !== 'voided' || effect !== 'none' || source === 'correction') return { asset, ...derived }
  const after = wished(record, before)
  return {
    asset,
    effect: askedEffect(record, derived),
    side: sideOf(after),
    position_before: before,
    position_after: after,
  }
}
