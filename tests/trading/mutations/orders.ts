// Mutations of the whole message: something contradicting or beside it added, nested, doubled, said twice, turned around.
import { has, type Leaf, print, withLeaf, withMore } from './body.ts'
import {
  type Base,
  deciding,
  exits,
  leavesAs,
  sizeless,
  withoutPrice,
  withoutSize,
  withoutSymbol,
} from './meaning.ts'
import type { Changed, Mutator, Random } from './random.ts'

const SHORT = ['sell', 'short', 'short_entry', '賣出', '新賣', '放空']
const LONG = ['buy', 'long', 'long_entry', '買進', '新買', '做多']

/** Adds the first of the names that is free. */
function added(
  base: Base,
  random: Random,
  names: readonly string[],
  value: string | number | boolean | object,
) {
  const name = random.one(names.filter((key) => !has(base.body, key)))
  if (name === undefined || base.body.shape === 'text') return null
  if (base.body.shape === 'pairs' && typeof value === 'object') return null
  return print(withMore(base.body, name, value as string))
}
const changed = (body: string | null, allowed: Changed['allowed']): Changed | null =>
  body === null ? null : { body, allowed }

export const otherSymbol: Mutator = (base, random) =>
  changed(
    leavesAs(base, 'symbol').length === 0
      ? null
      : added(
          base,
          random,
          ['symbol', 'ticker', 'sym', 'instrument', '商品'],
          random.one(['ZEFR1', 'BTCUSDT', '9958', 'XIFL6']) as string,
        ),
    [],
  )

export const otherSize: Mutator = (base, random) => {
  const sizes = leavesAs(base, 'quantity')
  // VOLUME beside a size is the bar's again.
  if (sizes.length === 0 || sizes.some(({ key }) => key.toLowerCase() === 'volume')) return null
  const body = added(base, random, ['quantity', 'qty', 'size', '數量', 'contracts'], 7)
  return changed(body, sizeless(base) ? [base.meant] : [])
}

export const otherPrice: Mutator = (base, random) => {
  const price = 45_123
  const body = added(base, random, ['price', 'order_price', 'limit_price', 'signal_price', '價格'], price)
  const silent = base.meant.price === null || leavesAs(base, 'price').length === 0
  return changed(body, silent ? [{ ...base.meant, price }] : [])
}

export const otherSide: Mutator = (base, random) => {
  const { action } = base.meant
  // 進場 on a strategy of one side takes the side that is said.
  if (base.strategy.direction !== 'both') return null
  if (!['buy', 'sell', 'long_entry', 'short_entry'].includes(action)) return null
  const words = action === 'buy' || action === 'long_entry' ? ['sell', 'short', '空'] : ['buy', 'long', '多']
  return changed(added(base, random, ['side', 'direction', '方向'], random.one(words) as string), [])
}

export const strayWord: Mutator = (base, random) => {
  const words = [...SHORT, ...LONG, 'exit', 'flat', '平倉', 'TXF1!', '2317', '張', 'percent']
  return changed(added(base, random, ['zz1', 'hedge_leg', 'foo', 'x2'], random.one(words) as string), [
    base.meant,
  ])
}

export const beside: Mutator = (base, random) => {
  const values = ['sell', 'TXF1!', '5', '空單', 'close_all', '50%', '{{x}}']
  return changed(
    added(
      base,
      random,
      ['comment', 'note', 'interval', 'strategy_name', 'message_id'],
      random.one(values) as string,
    ),
    [base.meant],
  )
}

export const brackets: Mutator = (base, random) => {
  const leg = {
    price: 45_123,
    qty: 77,
    symbol: 'FXF1!',
    action: 'sell',
    side: 'short',
    limit_price: 45_001,
    percent: 50,
  }
  const flat = random.flip()
  const names = flat
    ? [
        'tp',
        'sl',
        'take_profit',
        'stop_loss',
        'takeProfit',
        'stopLoss',
        'tp1_price',
        'sl_price',
        'take_profit_price',
      ]
    : ['takeProfit', 'stopLoss', 'take_profit', 'stop_loss', 'tp', 'sl', 'bracket', 'legs', 'options']
  const keys = Object.keys(leg).filter(() => random.flip()) as (keyof typeof leg)[]
  const value = flat ? 45_123 : random.flip() ? Object.fromEntries(keys.map((k) => [k, leg[k]])) : [leg]
  return changed(added(base, random, names, value), [base.meant])
}

export const nested: Mutator = (base, random) => {
  if (base.body.shape !== 'json') return null
  const known = ['order', 'strategy', 'signal', 'alert', 'data', 'payload', 'body', 'message']
  const name = random.one(random.flip() ? known : ['thing', 'hedge', 'x', 'inner_part', 'extras']) as string
  const rest = random.flip() ? { exchange: 'TAIFEX' } : {}
  return { body: JSON.stringify({ [name]: base.body.tree, ...rest }), allowed: [base.meant] }
}

export const leafNested: Mutator = (base, random) => {
  const leaf = random.one(
    base.leaves.filter(({ role, path }) => path.length === 1 && role !== 'other' && role !== 'prev'),
  )
  if (!leaf || base.body.shape !== 'json' || deciding(base, leaf)) return null
  const [known, unknown] = [
    ['order', 'data', 'signal'],
    ['thing', 'hedge', 'inner_part'],
  ]
  const blind = ['takeProfit', 'stopLoss', 'sl', 'tp', 'bracket']
  const into = random.one([known, unknown, blind]) as string[]
  const name = random.one(into.filter((key) => !has(base.body, key)))
  if (name === undefined) return null
  const body = print(withMore(withLeaf(base.body, leaf, null), name, { [leaf.key]: leaf.value }))
  return {
    body,
    allowed:
      into === blind
        ? without(base, leaf)
        : [base.meant, ...(leaf.role === 'price' || leaf.role === 'close' ? withoutPrice(base, leaf) : [])],
  }
}

function without(base: Base, leaf: Leaf) {
  const again = base.leaves.filter(({ role }) => role === leaf.role).length > 1 ? [base.meant] : []
  if (leaf.role === 'symbol') return [...withoutSymbol(base), ...again]
  if (leaf.role === 'quantity') return [...withoutSize(base), ...again]
  if (leaf.role === 'price' || leaf.role === 'close') return withoutPrice(base, leaf)
  return base.meant.action === 'target' || !base.plain ? [base.meant] : []
}

export const twoOrders: Mutator = (base, random) => {
  const text = base.entry.body.trim()
  if (base.body.shape === 'json') {
    const second = { ...base.body.tree, qty: 9, action: random.one([...SHORT, ...LONG]) as string }
    const list = [base.body.tree, random.flip() ? second : base.body.tree]
    const key = random.one(['orders', 'signals', 'data', 'legs'])
    const bodies = [
      JSON.stringify(list),
      JSON.stringify({ [key as string]: list }),
      `${text}\n${text}`,
      `${text},${text}`,
    ]
    return { body: random.one(bodies) as string, allowed: [] }
  }
  return base.body.shape === 'pairs' ? null : { body: `${text}\n${text}`, allowed: [] }
}

export const doubled: Mutator = (base, random) => {
  const leaf = random.one(
    base.leaves.filter(({ role, path }) => path.length === 1 && role !== 'other' && role !== 'prev'),
  )
  if (!leaf || leaf.role === 'modifier' || leaf.role === 'close') return null
  const value = {
    symbol: 'FXF1!',
    action: random.one([...SHORT, ...LONG]),
    side: 'sell',
    quantity: 9,
    price: 45_123,
    position: 4,
  }[leaf.role as 'symbol']
  if (value === undefined || value === leaf.value) return null
  if (base.body.shape === 'pairs') {
    // Where the strategy's size is fixed a second figure changes nothing.
    const pairs = [...base.body.pairs, [leaf.key, String(value)] as [string, string]]
    return {
      body: print({ ...base.body, pairs }),
      allowed: sizeless(base) && leaf.role === 'quantity' ? [base.meant] : [],
    }
  }
  const pair = `${JSON.stringify(leaf.key)}:${JSON.stringify(value)}`
  const text = print(base.body)
  return { body: random.flip() ? `{${pair},${text.slice(1)}` : `${text.slice(0, -1)},${pair}}`, allowed: [] }
}

const STATES = [
  ['test', true],
  ['is_test', true],
  ['dry_run', true],
  ['paper', true],
  ['mode', 'TEST'],
  ['status', 'cancelled'],
  ['status', 'rejected'],
  ['order_type', 'stop'],
  ['order_type', 'trailing_stop'],
] as const
export const noOrder: Mutator = (base, random) => {
  const [key, value] = random.one(STATES) ?? ['test', true]
  return has(base.body, key) ? null : changed(added(base, random, [key], value), [])
}

const CLOSING = [
  ['reduce_only', true],
  ['reduceOnly', 'true'],
  ['closePosition', true],
  ['octype', 'Cover'],
  ['opencloseflag', '1'],
  ['sentiment', 'flat'],
  ['intent', 'close'],
  ['positionEffect', 'CLOSE'],
  ['tradeSide', 'close'],
  ['open_close', 'C'],
  ['新平倉別', '平倉'],
  ['開平', '平'],
  ['is_exit', true],
  ['signal_type', 'EXIT'],
] as const
/** Whatever says that the order closes: it may never open then, not even beside an entry's word. */
export const closing: Mutator = (base, random) => {
  const [key, value] = random.one(CLOSING) ?? CLOSING[0]
  const { action } = base.meant
  const closed = action === 'buy' ? 'short_exit' : action === 'sell' ? 'long_exit' : null
  const allowed = exits(base).filter((one) => closed === null || one.action === closed)
  return base.plain ? changed(added(base, random, [key], value), allowed) : null
}

const UNITS = ['percent', '%', 'USD', 'cash', 'risk', 'percent_of_equity']
export const unitBeside: Mutator = (base, random) => {
  if (leavesAs(base, 'quantity').length === 0) return null
  const body = added(
    base,
    random,
    ['unit', 'qty_type', 'quantityType', 'size_unit'],
    random.one(UNITS) as string,
  )
  return changed(body, sizeless(base) ? [base.meant] : [])
}

/** A month that no near or next strategy takes, or that is over, beside the product. */
export const otherMonth: Mutator = (base, random) => {
  const { kind, contract_rule } = base.strategy
  if (kind !== 'futures' || contract_rule === 'month' || base.entry.received_at) return null
  if (leavesAs(base, 'symbol').length === 0) return null
  const month = random.one(['202611', '202610', '202803', '203006']) as string
  return changed(added(base, random, ['contract_month', 'contract', '合約月份', 'expiry'], month), [])
}
