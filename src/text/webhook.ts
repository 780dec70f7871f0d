/* One table of words for what became of a request: outcomes, the reasons of those not taken, the filters over them. */

import type { Outcome, ReasonCode } from '#contract/webhook.ts'
import type { ReplayChange } from '#contract/webhook-format.ts'

export const OUTCOME_WORDS: Record<Outcome, string> = {
  accepted: '已收下',
  late: '已收下，延遲',
  duplicate: '重複',
  ignored: '忽略',
  held: '等你確認',
  rejected: '沒收下',
}

/** Short enough for a chip. 無法解析 is only what was not understood at all; everything else says what it was about. */
export const REASON_WORDS: Record<ReasonCode, string> = {
  empty: '空白訊息',
  too_large: '太大',
  bad_encoding: '編碼不符',
  unreadable: '無法解析',
  unresolved_placeholder: '變數未替換',
  missing_field: '缺少欄位',
  unknown_action: '動作不明',
  unknown_symbol: '商品不明',
  symbol_mismatch: '商品不符',
  bad_quantity: '數量不對',
  bad_price: '價格不對',
  bad_time: '時間不對',
  bad_secret: '密語不符',
  ip_not_allowed: 'IP 不允許',
  rule_ignored: '依規則忽略',
  heartbeat: '心跳',
  disabled: '已停用',
  archived: '已封存',
  unknown_field: '欄位不明',
  contradiction: '內容矛盾',
  several_orders: '多筆委託',
  duplicate_key: '欄位重複',
  bad_unit: '單位不明',
  not_a_trade: '不是委託',
  contract_ended: '契約已到期',
  test: '測試',
  unconfirmed_format: '格式未確認',
}

/** What reading a request again changes, in the order of importance. */
export const CHANGE_WORDS: Record<ReplayChange, string> = {
  new: '新成為訊號',
  changed: '改變',
  now_refused: '不再是訊號',
  still_refused: '仍不是訊號',
  same: '不變',
}
