// Objects inside a message: which are entered for the order, which hold the bar, which never say anything about it (domain §4.8, rule 6).
import { compact, keyName } from './spell.ts'

/** `order`: its leaves are the message's own. `bar`: only close and time. `light`: weightless with all below. `legs`: several orders. */
export type Zone = 'order' | 'bar' | 'light' | 'legs' | 'unknown'

const set = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/).map(compact))
const ORDER = set(
  'order orders strategy signal signals alert alerts data payload body message msg content text request event trade trades tradingview tv webhook params_order input json order_request general market contract instrument 訊號 委託 資料 內容',
)
const BAR = set('bar candle kline ohlc ohlcv k_bar quote')
const LIGHT = set(
  'take_profit take_profits stop_loss stop_losses sl tp tps sls bracket brackets trailing trailing_stop trail plots plot indicators chart syminfo user sender author source script strategy_info risk_management exits_plan',
)
const LEGS = set('legs leg options option entries exits positions baskets basket')

/** The zone of an object under a name, inside another zone. */
export function zoneOf(name: string, inside: Zone): Zone {
  if (inside === 'light' || inside === 'legs' || inside === 'unknown') {
    return inside
  }
  const key = compact(keyName(name))
  if (LIGHT.has(key) || /^bracket\d+$/.test(key)) return 'light'
  if (LEGS.has(key)) return 'legs'
  if (inside === 'bar') return 'bar'
  if (BAR.has(key)) return 'bar'
  return ORDER.has(key) ? 'order' : 'unknown'
}

/** Whether a text under this name may hold the whole message. */
export function mayHoldMessage(name: string): boolean {
  return ORDER.has(compact(keyName(name)))
}
