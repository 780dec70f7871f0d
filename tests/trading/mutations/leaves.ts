// Mutations of one leaf: renamed, taken out, its placeholder left unfilled, another product in it, its digits or its unit changed.
import type { Scalar } from './body.ts'
import { type Leaf, print, withLeaf } from './body.ts'
import {
  type Base,
  deciding,
  isSaying,
  leavesAs,
  resized,
  sizeless,
  withoutPrice,
  withoutSize,
  withoutSymbol,
} from './meaning.ts'
import type { Mutator, Random } from './random.ts'

const UNKNOWN = ['zz9', 'foo', 'x_1', 'qwert', '甲', 'a7', 'blob', 'my_field', 'F17', 'beta_gamma']
const WEIGHTLESS = ['comment', 'exchange', 'strategy_name', 'note']
const PLACEHOLDERS = [
  '{{strategy.order.x}}',
  ['$', '{value}'].join(''),
  '%value%',
  '[[value]]',
  '<value>',
  '{value}',
]

/** What a message means when a leaf says nothing any more. */
function gone(base: Base, leaf: Leaf) {
  const again = base.leaves.filter(({ role }) => role === leaf.role).length > 1
  if (leaf.role === 'symbol') return [...withoutSymbol(base), ...(again ? [base.meant] : [])]
  if (leaf.role === 'quantity') return [...withoutSize(base), ...(again ? [base.meant] : [])]
  if (leaf.role === 'price') return withoutPrice(base, leaf)
  if (leaf.role === 'close') return [base.meant, { ...base.meant, price: null }]
  return [base.meant]
}

const targeted = (base: Base, leaf: Leaf) =>
  base.meant.action === 'target' && leaf.role !== 'symbol' && leaf.role !== 'price' && leaf.role !== 'close'

export const renamed: Mutator = (base, random) => {
  const leaf = random.one(base.leaves)
  if (!leaf || leaf.role === 'position' || leaf.role === 'modifier') return null
  const body = print(withLeaf(base.body, leaf, `${random.one(UNKNOWN)}${random.upTo(9)}`))
  // Unknown to the reader, the figure or the word still stands there: no default may take its place.
  if (leaf.role === 'price' || leaf.role === 'close') return { body, allowed: withoutPrice(base, leaf) }
  return { body, allowed: [base.meant] }
}

export const renamedAlike: Mutator = (base, random) => {
  const leaf = random.one(leavesAs(base, 'symbol'))
  const names = ['symbol', 'ticker', 'sym', 'product', 'instrument', '商品', '代號', 'Symbol', 'TICKER']
  return leaf
    ? { body: print(withLeaf(base.body, leaf, random.one(names) as string)), allowed: [base.meant] }
    : null
}

/** Under a name without weight the leaf is as good as gone. */
export const hushed: Mutator = (base, random) => {
  const leaf = random.one(base.leaves.filter(({ role }) => role !== 'other' && role !== 'prev'))
  if (!leaf || deciding(base, leaf)) return null
  const body = print(withLeaf(base.body, leaf, random.one(WEIGHTLESS) as string))
  return { body, allowed: targeted(base, leaf) || isSaying(leaf) ? [base.meant] : gone(base, leaf) }
}

export const removed: Mutator = (base, random) => {
  const leaf = random.one(base.leaves.filter(({ role }) => role !== 'other' && role !== 'prev'))
  if (!leaf || deciding(base, leaf)) return null
  const allowed = isSaying(leaf) && base.meant.action !== 'target' ? [] : gone(base, leaf)
  return { body: print(withLeaf(base.body, leaf, null)), allowed }
}

export const unfilled: Mutator = (base, random) => {
  const leaf = random.one(base.leaves)
  if (!leaf || leaf.role === 'modifier') return null
  const body = print(withLeaf(base.body, leaf, leaf.key, random.one(PLACEHOLDERS) as string))
  if (leaf.role === 'price' || leaf.role === 'close') return { body, allowed: withoutPrice(base, leaf) }
  if (base.leaves.filter(({ role }) => role === leaf.role).length > 1) return { body, allowed: [base.meant] }
  const weighs = leaf.role === 'symbol' || (!sizeless(base) && leaf.role === 'quantity') || isSaying(leaf)
  return { body, allowed: weighs && base.meant.action !== 'target' ? [] : [base.meant] }
}

const FOREIGN = 'BTCUSDT ES1! NQ1! AAPL EURUSD BINANCE:ETHUSDT.P CME_MINI:MES1! XAUUSD 00ABC ZZZ1!'.split(' ')
const OTHERS = [
  'FXF1!',
  'XIFR1',
  'TC.F.TWF.XIF.HOT',
  'NYFL6',
  'TXO46500L6',
  'MXF202610',
  'MXFJ6',
  'MXF202803',
]
export const elsewhere: Mutator = (base, random) => {
  const leaf = random.one(leavesAs(base, 'symbol'))
  if (!leaf || base.entry.received_at) return null
  const value = random.one(
    random.flip() ? FOREIGN : OTHERS.filter((s) => !s.startsWith(base.meant.symbol) || /\d{5}/.test(s)),
  )
  const body = print(withLeaf(base.body, leaf, leaf.key, value as string))
  return { body, allowed: [] }
}

/** The figure a leaf holds, when it is one and the meaning is built from it. */
function figure(leaf: Leaf | undefined): { leaf: Leaf; n: number } | null {
  const text = String(leaf?.value ?? '').replaceAll(',', '')
  return leaf && /^[0-9]{1,9}(\.[0-9]{1,4})?$/.test(text) && Number(text) > 0
    ? { leaf, n: Number(text) }
    : null
}
const only = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined)

export const priceDigits: Mutator = (base, random) => {
  const found = figure(only(leavesAs(base, 'price')))
  if (!found || found.n !== base.meant.price || !Number.isInteger(found.n)) return null
  const n = String(found.n)
  const [grouped, odd] = [
    n.replace(/\B(?=(\d{3})+$)/g, ','),
    n.length > 4 ? `${n.slice(0, 2)},${n.slice(2)}0` : `${n},5`,
  ]
  const right = [grouped, `${n}.0`, `${n}.00000000001`, `  ${n} `]
  const wrong = [
    odd,
    `${n},5`,
    `${n}.000,00`,
    `${n} 0`,
    `${n}'000`,
    `${n}e1`,
    `-${n}`,
    `0x${n}`,
    `${n}/2`,
    `${n}-${n}9`,
  ]
  const well = random.flip()
  const text = random.one(well ? right : wrong) as string
  // A comma splits pairs; there the figure would be another one.
  if (base.body.shape === 'pairs' && text.includes(',')) return null
  return {
    body: print(withLeaf(base.body, found.leaf, found.leaf.key, text)),
    allowed: well ? [base.meant] : [],
  }
}

function size(base: Base, random: Random, change: (n: number) => { value: Scalar; times: number | null }) {
  const found = figure(only(leavesAs(base, 'quantity')))
  if (!found || !Number.isInteger(found.n) || base.leaves.some(({ key }) => key === 'unit')) return null
  const { value, times } = change(found.n)
  void random
  const body = print(withLeaf(base.body, found.leaf, found.leaf.key, value))
  const quantity = base.meant.quantity ?? null
  if (sizeless(base)) return { body, allowed: [base.meant] }
  return { body, allowed: times === null || quantity === null ? [] : resized(base, quantity * times) }
}

export const sizeTimes: Mutator = (base, random) => {
  const times = random.one([2, 3, 10, 1000, 1_000_000]) as number
  return size(base, random, (n) => ({ value: random.flip() ? n * times : String(n * times), times }))
}

export const sizeDigits: Mutator = (base, random) =>
  size(base, random, (n) => {
    const value = random.one([
      `${n}.5`,
      `${n},5`,
      `${n},00`,
      `-${n}`,
      `${n}e2`,
      `${n} 000`,
      `0x${n}`,
      `${n}-${n + 1}`,
      `~${n}`,
    ])
    return base.body.shape === 'pairs' && value?.includes(',')
      ? { value: n, times: 1 }
      : { value: value as string, times: null }
  })

export const badUnit: Mutator = (base, random) =>
  size(base, random, (n) => {
    const odd = base.strategy.kind === 'futures' ? ['張', '股', ' shares'] : ['口', ' 口']
    const unit = random.one(['%', ' %', 'percent', ' USD', '元', ' TWD', 'R', ' BTC', '萬', ...odd])
    return { value: `${n}${unit}`, times: null }
  })

export const unit: Mutator = (base, random) => {
  if (base.strategy.kind === 'futures')
    return size(base, random, (n) => ({ value: `${n}${random.one(['口', ' 口'])}`, times: 1 }))
  const found = figure(only(leavesAs(base, 'quantity')))
  if (!found || !Number.isInteger(found.n) || base.leaves.some(({ key }) => key === 'unit')) return null
  const lots = random.flip()
  const body = print(withLeaf(base.body, found.leaf, found.leaf.key, `${found.n}${lots ? '張' : '股'}`))
  return { body, allowed: resized(base, found.n * (lots ? 1000 : 1)) }
}

/** The same figure under a name that says its unit. */
export const unitByName: Mutator = (base, random) => {
  const found = figure(only(leavesAs(base, 'quantity')))
  if (!found || !Number.isInteger(found.n) || /[口張股]/.test(String(found.leaf.value))) return null
  if (base.leaves.some(({ key }) => key === 'unit')) return null
  const [name, shares] = random.one([
    ['張數', 1000],
    ['股數', 1],
    ['shares', 1],
  ] as const) ?? ['張數', 1000]
  const body = print(withLeaf(base.body, found.leaf, name))
  if (sizeless(base)) return { body, allowed: [base.meant] }
  return { body, allowed: base.strategy.kind === 'futures' ? [] : resized(base, found.n * shares) }
}
