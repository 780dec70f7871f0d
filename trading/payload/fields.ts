// The names senders give their fields, flattened to one level, with secrets and accounts taken out (domain §4.5, 5).

export type Scalar = string | number | boolean | null
export type Fields = Map<string, Scalar>

/** Our field → the names it may have, first match wins. `time` comes last: TradingView's {{time}} is the bar's open. */
export const ALIASES = {
  symbol: [
    'symbol',
    'ticker',
    'sym',
    'product',
    'productid',
    'stock',
    'stock_id',
    'code',
    '商品',
    '代碼',
    '代號',
  ],
  action: ['action', 'signal', 'side', 'order', 'order_action', 'bs', 'type', '動作', '方向'],
  quantity: [
    'quantity',
    'qty',
    'contracts',
    'order_contracts',
    'size',
    'volume_lots',
    'orderqty',
    '口數',
    '張數',
    '股數',
  ],
  price: ['price', 'p', 'order_price', '價格'],
  close: ['close'],
  fired: ['timestamp', 'timenow', 'ts', 'time_now', 'alert_time'],
  time: ['time'],
  position: ['position_size', 'position'],
  market_position: ['market_position'],
  market_size: ['market_position_size'],
  prev: ['prev_position_size', 'prev_position', 'previous_position'],
  prev_market_position: ['prev_market_position'],
  prev_market_size: ['prev_market_position_size'],
  id: ['id', 'order_id', 'alert_id', 'tvorderid', 'uuid'],
  note: ['comment', 'order_comment', 'note', 'message', 'msg', '備註'],
  timeframe: ['interval', 'timeframe', '週期'],
  open_close: ['opencloseflag'],
} as const satisfies Record<string, readonly string[]>
export type FieldName = keyof typeof ALIASES

const SECRETS = new Set(['secret', 'passphrase', 'token', 'key'])
const PRIVATE = new Set([
  'account',
  'accounts',
  'account_id',
  'account_no',
  'accountid',
  'accountno',
  'acct',
  'acc',
  '帳號',
  '帳戶',
  'password',
  'passwd',
  'pwd',
  'api_key',
  'apikey',
  'api_secret',
  'person_id',
  '密碼',
])

/** How keys are compared: half-width, lower case, - and blanks as _. */
export function keyName(key: string): string {
  return key.slice(0, 80).normalize('NFKC').trim().toLowerCase().replace(/[- ]/g, '_')
}

/** Whether a field is a second factor for the webhook. */
export function isSecret(key: string): boolean {
  return SECRETS.has(keyName(key))
}

/** Whether a field must never be stored: secrets, accounts, passwords. */
export function isPrivate(key: string): boolean {
  const name = keyName(key)
  return SECRETS.has(name) || PRIVATE.has(name)
}

/** A field's value and the name it was found under; undefined when absent or empty. */
export function pick(fields: Fields, name: FieldName): { key: string; value: Scalar } | undefined {
  for (const key of ALIASES[name]) {
    const value = fields.get(key)
    if (value === undefined || value === null || value === '') continue
    return { key, value }
  }
  return undefined
}

/** Scalars of an object by key, nested ones by their last key; outer levels win over inner ones. */
export function flatten(tree: object): Fields {
  const fields: Fields = new Map()
  let level: object[] = [tree]
  while (level.length > 0) {
    const deeper: object[] = []
    for (const node of level)
      for (const [key, value] of Object.entries(node)) {
        if (isPrivate(key)) continue
        if (typeof value === 'object' && value !== null) deeper.push(value as object)
        else if (!Array.isArray(node) && !fields.has(keyName(key)))
          fields.set(keyName(key), tidy(value as Scalar))
      }
    level = deeper
  }
  return fields
}

/** The value without private fields, and the first secret found on its outer level. */
export function redact(tree: Record<string, unknown>): {
  secret: string | null
  clean: Record<string, unknown>
  changed: boolean
} {
  let secret: string | null = null
  for (const [key, value] of Object.entries(tree))
    if (secret === null && isSecret(key) && (typeof value === 'string' || typeof value === 'number'))
      secret = String(value)
  let changed = false
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip)
    if (typeof value !== 'object' || value === null) return value
    const kept = Object.entries(value).filter(([key]) => !isPrivate(key))
    if (kept.length < Object.keys(value).length) changed = true
    return Object.fromEntries(kept.map(([key, inner]) => [key, strip(inner)]))
  }
  return { secret, clean: strip(tree) as Record<string, unknown>, changed }
}

const LOOSE =
  /(["']?(?:secret|passphrase|token|key|account|acct|password|api_key|apikey)["']?\s{0,3}[:=]\s{0,3}["']?)[^"',;&\s}]{1,200}/gi

/** A body nobody could read, with what looks like a secret blotted out. */
export function blot(body: string): string {
  return body.replace(LOOSE, '$1***')
}

function tidy(value: Scalar): Scalar {
  return typeof value === 'string' ? value.trim() : value
}
