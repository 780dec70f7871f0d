// Which field a name stands for, which names have no weight (domain §4.5, rule 5; §4.8, rule 1).
import { FIELD_NAMES, type FieldName } from './field-names.ts'
import { compact, keyName, table } from './spell.ts'

export type { FieldName } from './field-names.ts'
export { namesOf } from './field-names.ts'

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
const KNOWN = new Map<string, FieldName | undefined>()
const LIGHT_KNOWN = new Map<string, boolean>()
const KNOWN_MOST = 4_000

/** The field a name stands for; undefined when it stands for none. */
export function fieldOfName(raw: string): FieldName | undefined {
  return remembered(KNOWN, raw, work)
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
