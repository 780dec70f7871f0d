/* One table of words for what became of a request: outcomes, the reasons of those not taken, the filters over them. */

import {
  BRIDGE_FILES,
  type BridgePlatform,
  type Delivery,
  type Outcome,
  type ReasonCode,
} from '#contract/webhook.ts'
import type { FormatReading, ReplayChange, WebhookFormat } from '#contract/webhook-format.ts'
import { UNIT_FACTS } from '#trading/kinds.ts'
import { MESSAGE_TEMPLATES, type MessageTemplate } from '#trading/message-templates.ts'
import { findProduct } from '#trading/products.ts'
import type { ANSWERS, QuestionId, Role } from '#trading/reader/format.ts'
import type { ReadAs } from '#trading/reader/shape.ts'
import type { Asset } from '#trading/record.ts'
import { ACTION_WORDS } from '#trading/record-words.ts'
import { number, position, price, shares } from './format.ts'
import { positionWords } from './signal.ts'
import { contractText } from './strategy.ts'

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

/* One table of words for the parts of a message and for what is asked about it: roles, questions and their answers, what a message would be. */

/** What a part of a message is. */
export const ROLE_WORDS: Record<Role | ReadAs, string> = {
  action: '動作',
  weak_action: '動作',
  side: '方向',
  position_side: '方向',
  sentiment: '方向',
  open_close: '新倉平倉',
  reduce_only: '只減倉',
  close_position: '平倉',
  reverse: '反手',
  symbol: '商品',
  symbol_name: '商品名稱',
  month: '合約月份',
  option: '選擇權',
  asset_class: '商品類別',
  exchange: '交易所',
  currency: '幣別',
  quantity: '數量',
  contracts: '口數',
  lots: '口數',
  futures_lots: '口數',
  board_lots: '張數',
  shares: '股數',
  unit: '單位',
  money: '金額',
  credit: '信用別',
  price: '價格',
  close: '價格',
  entry_price: '進場價',
  exit_price: '出場價',
  stop_price: '停損價',
  position: '部位',
  market_position: '部位',
  market_size: '部位',
  prev: '原部位',
  prev_market_position: '原部位',
  prev_market_size: '原部位',
  now: '時間',
  stamp: '時間',
  time: '時間',
  date: '日期',
  zone: '時區',
  timeframe: '週期',
  id: '編號',
  sequence: '序號',
  secret: '密語',
  note: '備註',
  order_kind: '委託種類',
  state: '委託狀態',
  test: '測試',
  mode: '模式',
  ignored: '不看',
  weightless: '不看',
  kept: '不看',
  unknown: '不認得',
}

/** Whether anything of the signal hangs on it. */
export const counts = (role: Role | ReadAs): boolean =>
  role !== 'unknown' && ROLE_WORDS[role] !== ROLE_WORDS.ignored

/** What a part is marked with in its message; null where it is not looked at. */
export const markText = (role: Role | ReadAs, asset: Asset): string | null =>
  counts(role) ? roleText(role, asset) : null

/** The same where it is known what is traded: sizes of futures are 口, bare ones of stock may be either. */
export function roleText(role: Role | ReadAs, asset: Asset): string {
  if (role === 'quantity' && asset === 'futures') return ROLE_WORDS.futures_lots
  return role === 'contracts' && asset === 'stock' ? ROLE_WORDS.quantity : ROLE_WORDS[role]
}

/** 動作、商品、口數，3 個欄位不看 */
export function fieldsText(fields: WebhookFormat['fields'], asset: Asset): string {
  const read = fields.filter(({ role }) => counts(role))
  const order = Object.values(ROLE_WORDS)
  const words = [...new Set(read.map(({ role }) => roleText(role, asset)))]
  words.sort((a, b) => order.indexOf(a) - order.indexOf(b))
  const ignored = fields.length - read.length
  return [words.join('、'), ignored > 0 && `${ignored} 個欄位不看`].filter(Boolean).join('，')
}

/** What one message cannot say, as it is asked, and each answer. */
export const QUESTION_WORDS: Record<QuestionId, { ask: string; answers: Record<string, string> }> = {
  contracts_mean: {
    ask: '這個數字是這一筆的數量，還是成交後的部位？',
    answers: { order: '這一筆的數量', position: '成交後的部位' },
  },
  stock_unit: {
    ask: '沒有寫單位的數字是張，還是股？',
    answers: { board_lot: '張', share: '股' },
  },
  volume_means: {
    ask: '這個量是這一筆的數量嗎？',
    answers: { size: '是這一筆的數量', ignored: '不是，不用看' },
  },
  stop_means: {
    ask: '旁邊的停損價或限價是做什麼的？',
    answers: { protection: '進場後的停損停利，不用看', waits: '委託還在等這個價格，還沒成交' },
  },
  close_leaves: {
    ask: '出場寫的 buy、sell，說的是什麼？',
    answers: { other: '下單的方向：buy 是空單回補', same: '原來的部位：buy 是多單出場' },
  },
} satisfies { [id in QuestionId]: { ask: string; answers: Record<(typeof ANSWERS)[id][number], string> } }

/** What a message would be, in parts: 多單進場 · 小台 近月 · 2 口 · 46,500. */
export function readingParts(reading: FormatReading): { action: string; rest: string[] } {
  const { action, symbol, quantity, target_position: target } = reading
  const size =
    action === 'target'
      ? target !== null && positionWords(target, findProduct(symbol) ? 'futures' : 'stock').word
      : action !== 'close_all' && (quantity === null ? '全部' : sizeAs(symbol, quantity))
  return {
    action: ACTION_WORDS[action],
    rest: [
      tradedAs({ ...reading, symbol_raw: symbol }),
      size,
      reading.price !== null && price(reading.price),
    ].filter((part) => typeof part === 'string'),
  }
}

/** 多單進場 小台 近月 2 口 46,500 */
export function readingText(reading: FormatReading): string {
  const { action, rest } = readingParts(reading)
  return [action, ...rest].join(' ')
}

/** What a format that waits asks, in a line. */
export const waitingText = ({ proposal }: Pick<WebhookFormat, 'proposal'>): string =>
  proposal ? `${readingText(proposal)}？` : '看不出要做什麼，請你說明'

/* What a message was read as, in the words of the rows: 多單進場 1 口 小台 近月 @46,500. */

type Normal = NonNullable<Delivery['normal']>

/** 小台 近月; a code nobody knows as it came; null when there was none. */
export function tradedAs({
  symbol,
  symbol_raw,
  contract,
}: Pick<Normal, 'symbol' | 'symbol_raw' | 'contract'>): string | null {
  if (symbol === null) return symbol_raw
  return `${findProduct(symbol)?.short_name ?? symbol} ${contractText(contract)}`.trim()
}

/** A size in what is traded: 1 口, 2 張; the bare number while nobody knows what it is of. */
export function sizeAs(symbol: string | null, size: number): string {
  if (symbol === null) return number(size)
  return findProduct(symbol) ? `${number(size)} ${UNIT_FACTS.lot.word}` : shares(size)
}

/** A position in the same: futures say their side by the sign, stock is counted. */
export function positionAs(symbol: string | null, target: number): string {
  return symbol === null || findProduct(symbol) ? position(target) : shares(target)
}

/** As far as the message was understood; null when nothing was. */
export function readAs(normal: Delivery['normal']): string | null {
  if (!normal) return null
  const { action, target_position: target, quantity, symbol } = normal
  const parts = [
    action &&
      (action === 'target' && target !== null
        ? `目標部位 ${positionAs(symbol, target)}`
        : ACTION_WORDS[action]),
    quantity !== null && action !== 'target' && sizeAs(symbol, quantity),
    tradedAs(normal),
    normal.price !== null && `@${price(normal.price)}`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' ') : null
}

// The messages to paste into a sender, laid out to be read and copied.

/** The template with JSON one field per line, which TradingView takes as it is. `{{URL}}` of curl stays. */
export function templateOf(id: MessageTemplate['id']): MessageTemplate {
  const found = MESSAGE_TEMPLATES.find((template) => template.id === id)
  if (!found) throw new Error(`no template ${id}`)
  return id === 'curl' ? found : { ...found, text: found.text.replaceAll('","', '",\n "') }
}

/** Placeholders, which the sender fills in, set apart from what stays as it is. */
export function partsOf(text: string): (string | { text: string; kind: 'var' })[] {
  return text
    .split(/(\{\{[^}]+\}\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{{') ? { text: part, kind: 'var' as const } : part))
}

// How a downloaded bridge is started.

/** What starts it, in its own folder; the path is where the script of the sender writes. */
export const BRIDGE_COMMANDS: Record<BridgePlatform, string> = {
  powershell: `powershell -ExecutionPolicy Bypass -File ${BRIDGE_FILES.powershell} "D:\\Print\\*.log"`,
  python: `python ${BRIDGE_FILES.python} "D:\\Print\\*.log"`,
}
