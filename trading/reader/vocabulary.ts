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

const TRIAL = new Set(
  'test testing backtest backtesting sim simulated simulation paper demo mock sandbox testnet preview example'.split(
    ' ',
  ),
)
const TRIAL_HAN = /測試|模擬|回測|範例|紙上|虛擬/

/** Whether a name speaks of a trial: as a switch that is on it says that the order is none. */
export function isTrialName(raw: string): boolean {
  const tokens = keyName(raw).split('_')
  return tokens.some((token) => TRIAL.has(token)) || TRIAL_HAN.test(raw)
}
