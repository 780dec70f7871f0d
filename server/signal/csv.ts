// One record as a line of CSV for spreadsheets: RFC 4180, numbers as numbers, and no text that a spreadsheet would run (T19).
import type { SignalRecord } from '#contract/signal.ts'
import { contractWord } from '#trading/contracts.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import { ASSET_FACTS } from '#trading/kinds.ts'
import { isBlind, type RecordStatus } from '#trading/record.ts'
import { ACTION_WORDS, EFFECT_WORDS, SOURCE_WORDS, STATUS_WORDS } from '#trading/record-words.ts'
import { type Cell, csvLineOf } from '../csv-line.ts'

interface Column {
  title: string
  cell(record: SignalRecord): Cell
}

const STATES: Record<RecordStatus, string> = { ok: '正常', ...STATUS_WORDS }

/** A void or correction speaks of another record: what that one did is in its own line, and this one held no position. */
const ofSignal =
  (cell: Column['cell']): Column['cell'] =>
  (record) =>
    isPointer(record) ? null : cell(record)

/** Beside a void or correction of what its reader may not know of. */
const BLIND_NOTE = '說的是可見期間之前的訊號，內容不顯示'

const COLUMNS: readonly Column[] = [
  { title: '序號', cell: (record) => record.chain_seq },
  { title: '訊號時間（台北）', cell: (record) => clock(record.occurred_at) },
  { title: '收到時間（台北）', cell: (record) => clock(record.received_at) },
  { title: '交易日', cell: (record) => record.trading_date },
  { title: '來源', cell: (record) => SOURCE_WORDS[record.source] },
  { title: '狀態', cell: ({ derived }) => STATES[derived.status] },
  { title: '代號', cell: (record) => record.symbol },
  { title: '名稱', cell: (record) => record.symbol_name },
  { title: '契約', cell: ({ contract }) => contract && contractWord(contract) },
  { title: '動作', cell: ofSignal(({ action }) => ACTION_WORDS[action]) },
  { title: '效果', cell: ofSignal(({ derived }) => EFFECT_WORDS[derived.effect]) },
  { title: '數量', cell: ofSignal((record) => record.quantity) },
  { title: '數量單位', cell: ofSignal(({ asset }) => ASSET_FACTS[asset].counted) },
  { title: '訊號價', cell: (record) => record.price },
  { title: '採用價', cell: ({ derived }) => derived.price_used },
  { title: '部位前', cell: ofSignal(({ derived }) => derived.position_before) },
  { title: '部位後', cell: ofSignal(({ derived }) => derived.position_after) },
  { title: '均價', cell: ({ derived }) => derived.avg_price_after },
  { title: '已實現淨損益', cell: ({ derived }) => derived.realised_pnl },
  { title: '手續費', cell: ({ derived }) => derived.fee },
  { title: '稅', cell: ({ derived }) => derived.tax },
  { title: '備註', cell: (record) => (isBlind(record) ? BLIND_NOTE : record.note) },
  { title: '作廢原因', cell: (record) => (record.source === 'void' ? record.reason : null) },
  { title: '來源編號', cell: (record) => record.external_id },
  { title: '紀錄編號', cell: (record) => record.id },
  { title: '對象紀錄編號', cell: (record) => record.refers_to },
  { title: '雜湊', cell: (record) => record.hash },
]

/** The first line, with its end. */
export const CSV_HEAD = csvLineOf(COLUMNS.map(({ title }) => title))

/** A record's line, with its end. */
export function csvLine(record: SignalRecord): string {
  return csvLineOf(COLUMNS.map(({ cell }) => cell(record)))
}

/** `2026-11-20 09:00:05.123` in Taipei, which has no summer time. */
function clock(at: string): string {
  return new Date(Date.parse(at) + 8 * 3_600_000).toISOString().slice(0, 23).replace('T', ' ')
}
