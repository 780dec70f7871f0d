// The tables of what folding leaves behind: recomputable from the records, never the truth; and what was answered to what it found.
import type { Generated } from 'kysely'

/** What folding left behind after record `chain_seq` under strategy `version`: recomputable, never the truth. */
export interface StrategyFoldRow {
  strategy_id: string
  chain_seq: number
  version: number
  state: string
  positions: string
  last_signal_id: string | null
  last_occurred_at: string | null
  signal_count: number
  pending_price_count: number
  price_suspect_count: number
  /** Reports of a position that did not fit and are not settled: `OpenGap[]` as JSON. */
  position_gaps: string
  /** Key of the closed days that the state, and what the records derive to, were made with (server/record/calendar.ts). */
  calendar: Generated<string>
}
/** A fold's state as it stood after record `chain_seq`; goes when a record changes what stood then. */
export interface FoldMarkRow {
  strategy_id: string
  chain_seq: number
  /** When the last of its records happened, milliseconds since 1970. */
  last_at: number
  state: string
  tally: string
}
/**
 * Some of the closed trades of a strategy, in folding order, and the state after them (server/record/chapters.ts). True as long
 * as the chain has `chain_hash` at `chain_seq` and the terms are those of `key`.
 */
export interface FoldChapterRow {
  strategy_id: string
  /** From 1; each goes on from the one before. */
  chapter: number
  /** Where the chain stood when it was folded: of the records up to there, those that happened by `last_at` are in it. */
  chain_seq: number
  chain_hash: string
  /** Hash of what they were folded with. */
  key: string
  /** Every signal with a lower chain number is in it. */
  rest_seq: number
  /** When the last of its records happened, milliseconds since 1970. */
  last_at: number
  /** SHA-256 over all the rest and the sum of the chapter before. */
  sum: string
  state: string
  trades: string
}
/** A strategy whose records are still to be folded again, and their columns brought to what that says (server/record/refolds.ts). */
export interface OwedFoldRow {
  strategy_id: string
  since: string
  /** Lowest record that was written anew so far, and that nobody has been told of. */
  from_seq: number | null
}
/** Summary and curve of a fold, worked out when somebody looks: apart, so that a signal does not write them anew. */
export interface StrategyFiguresRow {
  strategy_id: string
  summary: string
  curve: string
  net_profit: number
  win_rate: number | null
  max_drawdown: number
  /** The record up to which they are worked out; behind the fold's `chain_seq` until somebody asks. */
  figures_seq: number
  /** Key of the closed days the figures were worked out with. */
  calendar: string
}
/** What somebody answered to a position that the source reported differently; the last answer to a signal counts. */
export interface GapAnswerRow {
  id: string
  strategy_id: string
  signal_id: string
  answer: 'source' | 'ignore'
  answered_by: string
  answered_at: string
}

/** The tables of this file. */
export interface FoldSchema {
  strategy_folds: StrategyFoldRow
  fold_marks: FoldMarkRow
  fold_chapters: FoldChapterRow
  owed_folds: OwedFoldRow
  strategy_figures: StrategyFiguresRow
  gap_answers: GapAnswerRow
}
