// What senders call their actions, sides, order kinds and states (domain §4.5, rule 7; §4.8, rules 2–3, 8, 10).

import type { Action } from '../record.ts'

// How names and words are compared: half-width, without case, whether written camelCase, dotted, with dashes or blanks.

/** Senders say the same names and words over and over; each is worked out once. */
const KNOWN = new Map<string, string>()
const KNOWN_MOST = 4_000
const KNOWN_LENGTH = 40

/** `strategy.order.limitPrice` → `strategy_order_limit_price`. */
export function keyName(key: string): string {
  const known = KNOWN.get(key)
  if (known !== undefined) return known
  const name = spelled(key)
  if (key.length > KNOWN_LENGTH) return name
  if (KNOWN.size >= KNOWN_MOST) KNOWN.clear()
  KNOWN.set(key, name)
  return name
}

function spelled(key: string): string {
  return key
    .slice(0, 120)
    .normalize('NFKC')
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[-.\s/:]+/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '')
}

/** Without its joints: `orderqty`, `order_qty` and `orderQty` are one spelling. */
export function compact(name: string): string {
  return name.replaceAll('_', '')
}

/** How a value's text is compared with the words of the vocabulary. */
export function wordOf(text: string): string {
  return compact(keyName(text.slice(0, 80)))
}

/** A table of spellings from lists of names, each list for one meaning; a name twice is a mistake of ours. */
export function table<T extends string>(lists: Readonly<Record<T, string>>): ReadonlyMap<string, T> {
  const all = new Map<string, T>()
  for (const [meaning, names] of Object.entries(lists) as [T, string][])
    for (const name of names.split(/\s+/)) {
      const key = compact(name)
      if (key === '') continue
      const other = all.get(key)
      if (other !== undefined && other !== meaning) throw new Error(`${name} means ${other} and ${meaning}`)
      all.set(key, meaning)
    }
  return all
}

// What senders call the fields of an order, in both languages; one table for reader, guide, templates, proposals and tests
// (domain §4.5, rule 5). Spellings are compared without joints, so `order_qty` stands for orderQty and orderqty, too.
const FIELD_NAMES = {
  symbol:
    'symbol ticker sym asset product product_id product_code instrument instrument_id pair market stock stock_id stock_code stock_no code symbol_id symbol_code tickerid ticker_id ticker_symbol epic tradingsymbol trading_symbol inst_id security security_id underlying_symbol 商品 商品代碼 商品代號 股票 股票代號 股票代碼 代碼 代號 標的 標的代號 合約代號 契約代號',
  month:
    'contract contract_month expiry expiration expiry_month delivery_month maturity last_trade_date_or_contract_month 合約 合約月份 契約月份 月份 到期月份',
  asset_class:
    'asset_class asset_type security_type sec_type instrument_type product_type market_type contract_type 商品類別 商品種類',
  /** A name that may be a code as well. */
  symbol_name: 'symbol_name product_name stock_name instrument_name ticker_name 商品名稱 股票名稱 標的名稱',
  exchange: 'exchange exch exchange_name exchange_code 交易所 市場 市場別',
  /** What the product is priced in: another money is another market. */
  currency: 'currency syminfo_currency 幣別',
  /** Must be understood. */
  action:
    'action order_action trade_action signal_action bs buy_sell buysell 動作 買賣 買賣別 交易動作 訊號動作',
  /** Says the action when its word is one; often says something else. */
  weak_action:
    'signal order type data event event_type cmd command operation op trade trade_type signal_type alert_type msg_type transaction_type order_command intent 訊號 交易 類型 訊號類型 事件 狀況',
  side: 'side direction order_side trade_side order_direction trade_direction signal_side dir 方向 多空 買賣方向 交易方向 多空方向',
  position_side: 'position_side pos_side position_direction 部位方向 持倉方向',
  sentiment: 'sentiment',
  /** 融資 and 融券: the side of what is held by it; other words under these names are about how an order is placed. */
  credit:
    'order_cond order_condition ord_condition cond 委託條件 資券 資券別 現資券 現資券別 信用 信用別 信用交易 交易類別 交易別',
  open_close:
    'open_close_flag open_close oc_type oc_flag position_effect offset 新平倉別 新平倉 開平 開平倉 平倉別 倉別 新平 進出 進出場 進出別',
  reduce_only: 'reduce_only is_reduce_only only_reduce 只減倉 僅減倉',
  close_position:
    'close_position close_all close_all_positions is_close is_exit exit_all flatten 全部平倉 平倉 出場',
  reverse: 'reverse reversal is_reverse flip 反手',
  quantity:
    'quantity qty size order_quantity order_size trade_quantity trade_qty trade_size signal_quantity order_qty total_quantity sz order_volume trade_volume 數量 委託數量 交易數量 下單數量',
  contracts:
    'contracts order_contracts num_contracts number_of_contracts contract_qty contracts_qty contract_quantity contract_count',
  lots: 'lots lot volume_lots vol_lots lot_qty num_lots number_of_lots',
  futures_lots: '口數 委託口數 下單口數 交易口數',
  board_lots: 'board_lots 張數 委託張數 下單張數 交易張數',
  shares: 'shares share_qty num_shares number_of_shares share_quantity 股數 委託股數 下單股數 交易股數',
  unit: 'unit qty_unit quantity_unit size_unit qty_type quantity_type size_type order_size_type sizing sizing_type order_lot ap_code qty_mode quantity_mode size_mode order_qty_mode amount_type 單位 數量單位 數量類型',
  money:
    'amount cash cash_amount dollar_amount notional notional_value quote_qty quote_quantity quote_order_qty quote_amount usd usdt twd ntd dollars order_amount trade_amount base_amount percent pct percentage qty_percent qty_pct quantity_percent quantity_pct size_percent size_pct order_percent order_pct equity_percent equity_pct percent_of_equity balance_percent position_percent position_pct risk risk_percent risk_pct risk_amount risk_percentage risk_per_trade capital_percent allocation allocation_percent 金額 交易金額 下單金額 比例 百分比 資金比例 風險 倉位比例',
  price:
    'price p px order_price limit_price lmt_price signal_price trigger_price trade_price fill_price filled_price execution_price exec_price 價格 成交價 成交價格 觸發價 觸發價格 訊號價 訊號價格 價位 成交均價 委託價 委託價格 限價 交易價格',
  entry_price: 'entry_price entry_px open_price_level 進場價 進場價格 進場價位',
  exit_price: 'exit_price exit_px 出場價 出場價格 出場價位 平倉價',
  close: 'close close_price last last_price current_price market_price 收盤 收盤價 現價 市價',
  now: 'timenow time_now alert_time signal_time fire_time fired_at trigger_time triggered_at 訊號時間 觸發時間',
  stamp:
    'timestamp ts time_stamp sent_at created_at order_time trade_time datetime date_time 成交時間 委託時間',
  time: 'time bar_time candle_time 時間',
  date: 'date order_date trade_date 日期 交易日期',
  /** Where a time without a zone of its own is meant. */
  zone: 'timezone tz time_zone 時區',
  position:
    'position_size position pos current_position target_position position_after new_position new_position_size net_position pos_size target_position_size 部位 目標部位 部位大小',
  market_position: 'market_position',
  market_size: 'market_position_size current_contracts',
  prev: 'prev_position_size prev_position previous_position previous_position_size position_before prev_pos 前部位 原部位',
  prev_market_position: 'prev_market_position previous_market_position',
  prev_market_size: 'prev_market_position_size previous_market_position_size',
  id: 'id order_id alert_id tvorder_id uuid signal_id trade_id client_order_id cl_ord_id client_id_ref message_id msg_id unique_id guid 編號 訊號編號 委託編號',
  note: 'comment order_comment note message msg alert_message text description remark remarks memo content body 備註 說明 訊息 註解',
  timeframe: 'interval timeframe tf resolution period time_frame 週期 時間週期',
  order_kind:
    'order_type price_type ord_type execution_type order_kind exec_type 單別 委託類別 委託種類 價格類別 委託別 市限價',
  state:
    'status state order_status ord_status exec_status trade_status order_state signal_status 狀態 委託狀態',
  test: 'test is_test simulated simulate simulation is_simulated paper paper_trading is_paper dry_run dryrun test_mode testing demo is_demo 測試 模擬',
  mode: 'mode flag env environment run_mode trading_mode server source src from_source origin platform provider 模式 來源 平台',
  /** A stop order's own price; beside a market order it only protects. */
  stop_price: 'stop_price stop_px stop_limit_price trigger_stop stop stops',
  option:
    'strike strike_price option_type call_put put_call cp right option_right options option call put 履約價 買賣權 選擇權',
} as const

export type FieldName = keyof typeof FIELD_NAMES

// Which field a name stands for, which names have no weight (domain §4.5, rule 5; §4.8, rule 1).
/** Names without weight for the signal (domain §4.8, rule 1). */
const WEIGHTLESS = `
  exchange_timezone comment_tail strategy strategy_name strategy_id strategy_title strategy_code name title alert alert_name script script_name
  indicator indicator_name chart chart_url chart_id chart_name chart_image image image_url url link layout
  tif time_in_force rod ioc fok dtrade day_trade_flag 當沖 現股當沖 sender channel chat_id
  open high low volume vol hl2 hlc3 ohlc4 open_price high_price low_price prev_close previous_close bar_close bar_open close_time open_time bar_high bar_low
  avg_volume volume_ma vwap atr ema sma ma rsi macd adx bar_index bar_number barstate bar timeframe_multiplier
  base_currency quote_currency locale lang language
  company_name 名稱 策略 策略名稱 策略代號 訊號名稱 指標 指標名稱 交易策略
  開盤 開盤價 最高 最高價 最低 最低價 成交量 總量 單量 漲跌 漲跌幅 昨收 量
  user user_id username user_name email nickname author bot risk_reward reward_risk bot_id bot_uuid bot_name pair_bot license license_id version ver v schema schema_version
  run_id session session_id seq sequence sequence_number nonce magic magic_number ea_id ea_name expert
  pnl profit loss realized_pnl unrealized_pnl net_profit open_profit drawdown max_drawdown commission fee fees tax slippage deviation
  equity balance initial_capital win_rate score confidence strength probability reason exit_reason entry_reason tag tags label labels
  hostname host ip client client_id priority severity category topic delay delay_seconds ttl expire_seconds max_lag expires expires_at expire_at valid_until valid_to good_till good_till_date gtd alert_expiry 有效期限
  contract_size point_value contract_multiplier tick_size mintick min_tick tick_value pip pip_value margin_coin margin_asset quote_coin settle_coin settle_currency fee_currency td_mode margin_mode margin_type hedge_mode
  is_automated force_open guaranteed_stop tpsl_mode price_flag bs_flag variety duplicate_position_allow reverse_order_close update_tp update_sl percentage_tp percentage_sl dollar_tp dollar_sl
  avg_price average_price avg_entry_price position_avg_price average_entry_price entry_time exit_time entry_bar
  alert_type_name alert_message_id market_time server_time local_time unix_time received_at 產生時間
  target_price tp sl trail targets_price 停損 停利 停損價 停利價 停損點 停利點 停損價格 停利價格 目標價 移動停損 移動停利 風控`

/** Prices, sizes and switches of protective orders, however they are numbered or ended. */
const PROTECTIVE =
  /(?:^|_)(?:tp|sl|take_?profits?|profit_?targets?|stop_?loss(?:es)?|trail(?:ing)?|break_?even|bracket|oco|停損|停利)(?:_?\d+)?(?:_|$)/
const PLOT = /^plot_?\d+$/

const FIELDS = table<FieldName>(FIELD_NAMES)
const LIGHT: ReadonlySet<string> = new Set(
  WEIGHTLESS.split(/\s+/)
    .filter((name) => name !== '')
    .map(compact),
)

/** Words that senders put in front of a field's name to say where it belongs: `strategy.order.action`, `signal_price`. */
const FRONTS = /^(?:strategy|order|signal|alert|trade|tv|tradingview|webhook|data|payload|msg|syminfo)_/

/** Senders say the same few names over and over; what they stand for is worked out once. */
const FIELDS_KNOWN = new Map<string, FieldName | undefined>()
const LIGHT_KNOWN = new Map<string, boolean>()

/** The field a name stands for; undefined when it stands for none. */
export function fieldOfName(raw: string): FieldName | undefined {
  return remembered(FIELDS_KNOWN, raw, work)
}

function remembered<T>(known: Map<string, T>, raw: string, work: (raw: string) => T): T {
  if (known.has(raw)) return known.get(raw) as T
  const found = work(raw)
  if (known.size >= KNOWN_MOST) known.clear()
  if (raw.length <= 80) known.set(raw, found)
  return found
}

function work(raw: string): FieldName | undefined {
  // Somebody put the field aside: "//qty" is no size.
  if (/^(?:\/\/|#)/.test(raw)) return undefined
  const name = keyName(raw)
  const direct = FIELDS.get(compact(name))
  if (direct !== undefined || isLight(name)) return direct
  for (let rest = name; FRONTS.test(rest); ) {
    rest = rest.replace(FRONTS, '')
    const field = FIELDS.get(compact(rest))
    if (field !== undefined) return field
  }
  return undefined
}

/** Whether a name is known to mean nothing for the signal. */
export function isWeightless(raw: string): boolean {
  return remembered(LIGHT_KNOWN, raw, (name) => isLight(keyName(name)))
}

function isLight(name: string): boolean {
  return LIGHT.has(compact(name)) || PLOT.test(name) || PROTECTIVE.test(name)
}

const TRIAL_NAME = new Set(
  'test testing backtest backtesting sim simulated simulation paper demo mock sandbox testnet preview example'.split(
    ' ',
  ),
)
const TRIAL_HAN = /測試|模擬|回測|範例|紙上|虛擬/

/** Whether a name speaks of a trial: as a switch that is on it says that the order is none. */
export function isTrialName(raw: string): boolean {
  const tokens = keyName(raw).split('_')
  return tokens.some((token) => TRIAL_NAME.has(token)) || TRIAL_HAN.test(raw)
}

// What senders call their actions and sides, in both languages (domain §4.5, rule 7); one list for each meaning.
const WORD_LISTS = {
  buy: 'buy b bull bullish 買 買進 買入',
  sell: 'sell s bear bearish 賣 賣出',
  long: 'long l 多 多方 多頭 做多 作多 多單 偏多',
  short: 'short 空 空方 空頭 做空 作空 空單 偏空',
  long_entry:
    'long_entry enter_long entry_long long_open open_long buy_to_open bto go_long long_in buy_long buy_open le 新買 多單進場 做多進場 買進開倉 開多 買開 多進場 多單建倉 做多加碼 多單加碼 多加碼 add_long add_to_long long_add 現股買進 多單新倉 買進新倉',
  short_entry:
    'short_entry enter_short entry_short short_open open_short sell_to_open sto go_short short_in sell_short short_sell sell_open se 新賣 放空 空單進場 做空進場 賣出開倉 開空 賣開 空進場 空單建倉 做空加碼 空單加碼 空加碼 add_short add_to_short short_add 空單新倉 賣出新倉',
  long_exit:
    'long_exit exit_long close_long long_close long_out sell_to_close stc sell_close lx 平賣 平多 多單出場 多單平倉 賣出平倉 賣平 多出場 多平倉 多平 做多出場 多單停損 多單停利 平多單 exitlong_all liquidate_long 現股賣出',
  short_exit:
    'short_exit exit_short close_short short_close short_out buy_to_close buy_to_cover cover short_cover cover_short buy_close sx 平買 平空 回補 空單出場 空單平倉 空單回補 買進平倉 買平 空出場 空平倉 空平 做空出場 空單停損 空單停利 平空單 買回 回補空單 liquidate_short',
  exit: '強制平倉 強平 close exit flat flatten stop exit_position close_position close_trade exit_trade closed exited liquidate 平倉 出場 離場 出清 停損出場 停利出場 停損平倉 停利平倉 平倉出場 了結',
  close_all:
    'close_all exit_all flatten_all close_all_positions flat_all 全部平倉 全平 全部出場 全數平倉 全數出場 全部出清',
  entry: 'entry enter open entry_signal new_position open_position 進場 開倉 建倉 新倉',
  add: 'add 加碼 scale_in pyramid increase add_position',
  reduce: 'reduce 減碼 scale_out partial_close partial_exit decrease trim reduce_position',
  reduce_long: '多單減碼 多減碼 reduce_long',
  reduce_short: '空單減碼 空減碼 reduce_short',
  reverse: 'reverse 反手 反向 flip reversal reverse_position',
  reverse_long: '反手多 反手做多 reverse_long reverse_to_long flip_long 空翻多 翻多',
  reverse_short: '反手空 反手做空 reverse_short reverse_to_short flip_short 多翻空 翻空',
} as const

type WordGroup = keyof typeof WORD_LISTS

export type HeldSide = 'long' | 'short'
export type Verb = 'entry' | 'exit' | 'close_all' | 'add' | 'reduce' | 'reverse' | 'target'

/** A word's meaning, taken apart: buy and sell are neutral, long and short are sides, a verb may carry its side. */
export interface Meaning {
  verb?: Verb
  neutral?: 'buy' | 'sell'
  side?: HeldSide
}

const MEANINGS: Readonly<Record<WordGroup, Meaning>> = {
  buy: { neutral: 'buy' },
  sell: { neutral: 'sell' },
  long: { side: 'long' },
  short: { side: 'short' },
  long_entry: { verb: 'entry', side: 'long' },
  short_entry: { verb: 'entry', side: 'short' },
  long_exit: { verb: 'exit', side: 'long' },
  short_exit: { verb: 'exit', side: 'short' },
  exit: { verb: 'exit' },
  close_all: { verb: 'close_all' },
  entry: { verb: 'entry' },
  add: { verb: 'add' },
  reduce: { verb: 'reduce' },
  reduce_long: { verb: 'reduce', side: 'long' },
  reduce_short: { verb: 'reduce', side: 'short' },
  reverse: { verb: 'reverse' },
  reverse_long: { verb: 'reverse', side: 'long' },
  reverse_short: { verb: 'reverse', side: 'short' },
}
const WORDS = table<WordGroup>(WORD_LISTS)

/** PowerLanguage's Sell closes a long position; only where the webhook says its sender is MultiCharts. */
const MULTICHARTS: Readonly<Record<string, Meaning>> = {
  buy: { verb: 'entry', side: 'long' },
  sell: { verb: 'exit', side: 'long' },
  sellshort: { verb: 'entry', side: 'short' },
  buytocover: { verb: 'exit', side: 'short' },
  買進: { verb: 'entry', side: 'long' },
  賣出: { verb: 'exit', side: 'long' },
}

/** The meaning of an action's or a side's word, null when unknown. */
export function meaningOf(text: string, multicharts = false): Meaning | null {
  const word = wordOf(text)
  if (multicharts && Object.hasOwn(MULTICHARTS, word)) return MULTICHARTS[word] as Meaning
  const meaning = WORDS.get(word)
  return meaning === undefined ? null : MEANINGS[meaning]
}

/** What one of our own actions means, for a mapping's words. */
export function meaningOfAction(action: Action): Meaning {
  return action === 'target' ? { verb: 'target' } : MEANINGS[action]
}

const OTHERS = table({
  market: 'market mkt mkp m p range_market market_order 市價 市價單 範圍市價 rod ioc fok gtc day at_market',
  limit: 'limit lmt l limit_order 限價 限價單',
  placed_stop:
    'stop_order stop_limit stop_market stp trailing trailing_stop trailing_stop_order trail stop_loss take_profit oco bracket mit lit 停損單 停損限價 觸價 觸價單 移動停損 條件單',
  not_a_trade:
    'cancel cancelled canceled cancel_order cancel_all cancel_orders rejected reject placed working pending submitted accepted acknowledged new_order expired modified modify update updated edit edited adjust replaced replace amend failed error 取消 已取消 撤單 刪單 改單 委託中 已委託 失敗 拒絕 退單',
  filled:
    'filled fill executed complete completed done triggered active ok success live confirmed 成交 已成交 完全成交 觸發',
  test: 'test testing sim paper simulated simulation sandbox demo dry_run mock backtest backtesting dev development staging uat 測試 測試單 模擬 模擬單',
  live: 'real prod production 正式 實單 hedge one_way oneway net both isolated cross',
})
type OtherWord = 'market' | 'limit' | 'placed_stop' | 'not_a_trade' | 'filled' | 'test' | 'live'

/** What a word says that is no action: how an order is placed, what became of it, whether it is only a trial. */
export function otherWord(text: string): OtherWord | undefined {
  return OTHERS.get(wordOf(text))
}

const STATE_TOKENS = new Set(
  'cancel cancelled canceled cancelling reject rejected place placed working pending submit submitted presubmitted acknowledged expire expired modified modify replace replaced amend amended update updated edit failed inactive'.split(
    ' ',
  ),
)
const STOP_TOKENS = new Set('stop trailing trail oco bracket tp sl profit'.split(' '))
/** Also where nothing parts the words: CANCELALLORDERS. */
const STATE_INSIDE = /cancel|reject|expire|modif|amend|replace/i
const STATE_HAN = /刪|撤|取消|委託|改單|拒絕|失敗|退單|送出|掛單/
const STOP_HAN = /停損|停利|觸價|條件|移動/

/** What the words inside a longer name say: `ORDER_CANCELLED`, `TrailingStopMarket`, `position_closed`; null when nothing of trade. */
export function inWords(text: string): 'state' | 'stop' | 'trade' | null {
  const tokens = keyName(text.slice(0, 80)).split('_')
  if (tokens.some((token) => STATE_TOKENS.has(token)) || STATE_INSIDE.test(text) || STATE_HAN.test(text))
    return 'state'
  if (tokens.some((token) => STOP_TOKENS.has(token)) || STOP_HAN.test(text)) return 'stop'
  return tokens.some((token) => WORDS.has(token)) || /[買賣多空平]|進場|出場|新倉/.test(text) ? 'trade' : null
}

const TAKEN_BACK = new Set(
  'cancel cancels cancelled canceled reject rejected replace replaced modify modified amend amended update updated void voided revoke revoked'.split(
    ' ',
  ),
)

const TAKEN_BACK_INSIDE = /cancel|reject|replace|modif|amend|update|void|revoke/i

/** Whether a label of two words at most is about an order that stands already: order_cancel, UpdatePrice. */
export function isTakenBack(text: string): boolean {
  if (text.length > 40 || !TAKEN_BACK_INSIDE.test(text)) return false
  const tokens = keyName(text).split('_')
  return tokens.length <= 2 && tokens.some((token) => TAKEN_BACK.has(token))
}

const OPTIONS = new Set('option options opt call put calls puts 選擇權 買權 賣權'.split(' '))

/** Whether a text names options: a product that is not traded here. */
export function isOption(text: string): boolean {
  return OPTIONS.has(wordOf(text))
}

const OPEN_CLOSE = table({
  open: 'open new o 新倉 新單 開倉 新 開 進 進場 to_open opening',
  close:
    'close cover c 平倉 平 出 出場 to_close closing close_today close_yesterday closetoday closeyesterday 回補',
  auto: 'auto a automatic 自動 none',
})

/** 新平倉別; undefined when the word is not understood. A number is a broker's own code: only opencloseflag's are known. */
export function openCloseOf(text: string, name: string): 'open' | 'close' | 'auto' | undefined {
  const word = wordOf(text)
  if (word === '') return 'auto'
  if (/^(?:strategy_|order_)?open_?close_?flag$/.test(name)) {
    if (word === '0') return 'open'
    if (word === '1') return 'close'
  }
  return OPEN_CLOSE.get(word)
}

const CREDIT = table<HeldSide>({
  long: '融資 資 融資買進 融資賣出 資買 資賣 margin_trading margin_buy',
  short: '融券 券 融券賣出 融券買進 券賣 券買 沖賣 先賣 先賣後買 short_selling short_sell',
})

/** The side of a stock that is held on credit: bought with borrowed money, or sold borrowed; undefined when it is neither. */
export function creditOf(text: string): Meaning | undefined {
  const side = CREDIT.get(wordOf(text))
  return side && { side }
}

// What free text says beside an order: a radar's trigger, the words behind a line, a message that no format fits (domain §4.8, rules 13 and 14).
/** What the market does, not what is to be done: 外資買超5000張, 賣壓沉重, RSI超賣. */
const OF_MARKET = /[買賣](?:超|盤|壓|量|氣|方|張)[\d,]{0,12}張?|[委內外掛超][買賣]|買賣/g
/** Nothing is done yet, or it is taken back. */
const NOT_DONE = /[未不暫勿別無免沒](?=.{0,2}(?:進|出|買|賣|做|建|平|停|成|觸|達))|取消|作廢|解除|失效/
/** Words of going out and of going in, wherever they stand; a stop with its price only protects. */
const OUT =
  /出場|平倉|賣|離場|出清|清倉|清空|停[損利](?![價點]?[\d.])|減碼|了結|平[多空]|[放做作翻加開]空|空單|空方(?:訊號|進)|空進/
const IN = /進場|買|[做作翻加開]多|建倉|開倉|新倉|加碼|多單(?!出|平|停)|[放做作翻加開]空/

/** A part of a size, or a size in Chinese numerals: no price and no volume is written so. */
const PART =
  /半[倉口張數]|一半|部[分份]|加倍|分之|[一二兩三四五六七八九十幾](?:口|張|成)|\d口|^[1-9]\/[1-9]$|\b(?:half|partial|double)\b/i
/** Asked, feared, waited for, failed, put right, or of another day: 昨日高點 is a price, 昨日突破 is yesterday's. */
const DOUBTED =
  /[?？]|失敗|模擬|尚未|等待|等候|觀望|續抱|可能|是否|如果|假如|若|更正|撤[回銷]|改[為成]|逾時|(?:保證金|餘額|資金|額度)不足|排隊|待(?:確認|成交|觸發|命)|預[約告]|準備|暫停|不追|(?:昨|明|隔|次|後)[日天](?=$|突破|跌破|[進出買賣])/
const DOUBTED_WORDS =
  /\b(?:not?|never|cannot|can't|don't|do not|error|failed|failure|maybe|waiting|pending|tomorrow|later|yesterday|skipped|ignored|blocked|denied|timeout|corrected|correction|amended|replaced)\b/i
/** In a sentence these are the market's, 拉回修正, 觀察名單; alone they are about the order. */
const DOUBTED_ALONE = /^(?:修正|建議|參考|觀察|預備|停止|紙上|虛擬)$/
/** A whole text that tells what became of an order; a trader's own note says more than that. */
const STATE =
  /^(?:the )?(?:order|委託|下單|訂單|送單)? ?(?:(?:was|is|has been) |已|被)?(?:cancell?ed|rejected|expired|failed|not filled|取消|失敗|刪單|拒絕|退單|作廢|未成交)(?: by \w{1,20})?[.!。！]?$/i
const TRIAL = /^[[(（【「]?(?:測試|模擬|回測|範例)[\])）】」]?$/

/** Whether a text says a part of the size, or a size in words. */
export function saysPart(text: string): boolean {
  return PART.test(text.replace(OF_MARKET, ''))
}

/** Whether a text says that it is not certain to be done now. */
export function isDoubted(text: string): boolean {
  return NOT_DONE.test(text) || DOUBTED.test(text) || DOUBTED_WORDS.test(text) || DOUBTED_ALONE.test(text)
}

/** Whether a whole text is nothing but the state of an order. */
export function isState(text: string): boolean {
  return text.length <= 60 && STATE.test(text.trim())
}

/** Whether a whole text is the label of a trial: 回測 alone is one, 回測月線 is not. */
export function isTrial(text: string): boolean {
  return TRIAL.test(text)
}

/** Whether a free text says that it is an exit (or the short side), or an entry, whatever else it says. */
export function says(text: string, way: 'in' | 'out'): boolean {
  return (way === 'in' ? IN : OUT).test(text.replace(OF_MARKET, ''))
}

/** Entry or exit by the words inside a free text, null when it says neither or both, or that nothing is done. */
export function contentOf(text: string): 'entry' | 'exit' | null {
  if (NOT_DONE.test(text)) return null
  const own = text.replace(OF_MARKET, '')
  const one = (words: readonly string[]) => words.some((w) => own.includes(w))
  const exit = one(['出場', '平倉', '賣出', '停損', '停利', '賣'])
  const entry = one(['進場', '買進', '做多', '買'])
  return exit === entry ? null : exit ? 'exit' : 'entry'
}
