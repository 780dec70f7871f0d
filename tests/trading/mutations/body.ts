// A message taken apart so that one leaf of it can be changed: JSON objects and k=v pairs; other texts stay whole.

export type Scalar = string | number | boolean | null
type Node = Scalar | Node[] | { [key: string]: Node }
export type Tree = { [key: string]: Node }
export type Body =
  | { shape: 'json'; tree: Tree }
  | { shape: 'pairs'; separator: string; pairs: [string, string][] }
  | { shape: 'text'; text: string }

export const ROLES = {
  symbol:
    'symbol ticker sym product productid instrument pair stock stock_id code 商品 商品代碼 商品代號 股票代號 代碼 代號',
  action: 'action signal order_action order bs 動作 買賣',
  side: 'side direction 方向 多空',
  quantity:
    'quantity qty contracts order_contracts size lots lot shares volume_lots orderqty order_qty 數量 口數 張數 股數 下單口數 委託口數',
  price: 'price p order_price limit_price signal_price trigger_price 價格 成交價 觸發價 訊號價',
  close: 'close',
  position: 'position_size market_position market_position_size position',
  prev: 'prev_market_position prev_market_position_size prev_position_size previous_position',
  /** What changes the meaning of the action beside it. */
  modifier:
    'order_cond 資券 資券別 交易類別 sentiment position_side reduce_only close_position octype opencloseflag reverse 新平倉別 倉別 positioneffect',
} as const
export type Role = keyof typeof ROLES | 'other'
const ROLE_OF = new Map(
  Object.entries(ROLES).flatMap(([role, names]) => names.split(' ').map((n) => [n, role as Role])),
)
/** Containers whose leaves belong to the order itself. */
const ENTERED = new Set(['order', 'strategy', 'signal', 'alert', 'data', 'payload', 'body', 'message', 'bar'])

export interface Leaf {
  path: readonly (string | number)[]
  key: string
  value: Scalar
  role: Role
}

export function parse(body: string): Body {
  const text = body.trim()
  if (text.startsWith('{'))
    try {
      const tree = JSON.parse(text) as Tree
      return { shape: 'json', tree }
    } catch {
      return { shape: 'text', text: body }
    }
  const separator = [';', '&', '\n', ','].find((s) => text.includes(s)) ?? ';'
  const pairs = text.split(separator).map((piece) => piece.trim().split('='))
  return pairs.length > 1 && pairs.every((pair) => pair.length === 2) && !text.startsWith('TOTC')
    ? { shape: 'pairs', separator, pairs: pairs as [string, string][] }
    : { shape: 'text', text: body }
}

export function print(body: Body): string {
  if (body.shape === 'json') return JSON.stringify(body.tree)
  if (body.shape === 'text') return body.text
  return body.pairs.map((pair) => pair.join('=')).join(body.separator)
}

function roleOf(key: string): Role {
  const name = key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-. ]/g, '_')
    .toLowerCase()
  return ROLE_OF.get(name) ?? 'other'
}

export function leavesOf(body: Body): Leaf[] {
  if (body.shape === 'text') return []
  if (body.shape === 'pairs')
    return body.pairs.map(([key, value], i) => {
      // In pairs VOLUME is the order's size (domain §4.5, 5).
      const role = key.toLowerCase() === 'volume' ? 'quantity' : roleOf(key)
      return { path: [i], key, value, role }
    })
  const leaves: Leaf[] = []
  const walk = (node: Node, path: (string | number)[], entered: boolean): void => {
    if (typeof node !== 'object' || node === null) {
      const key = String(path.at(-1))
      leaves.push({ path, key, value: node, role: entered ? roleOf(key) : 'other' })
    } else if (Array.isArray(node)) {
      for (const [i, inner] of node.entries()) walk(inner, [...path, i], false)
    } else
      for (const [key, inner] of Object.entries(node)) {
        const deeper = typeof inner === 'object' && inner !== null
        walk(inner, [...path, key], entered && (!deeper || ENTERED.has(key)))
      }
  }
  walk(body.tree, [], true)
  return leaves
}

/** The body with one leaf's key and value replaced; a null key takes it out. */
export function withLeaf(body: Body, leaf: Leaf, key: string | null, value: Scalar = leaf.value): Body {
  if (body.shape === 'pairs') {
    const pairs = body.pairs.flatMap((pair, i): [string, string][] =>
      i !== leaf.path[0] ? [pair] : key === null ? [] : [[key, String(value)]],
    )
    return { ...body, pairs }
  }
  if (body.shape === 'text') return body
  const rebuild = (node: Node, path: readonly (string | number)[]): Node => {
    const [at, ...rest] = path
    if (typeof node !== 'object' || node === null || at === undefined) return node
    if (Array.isArray(node)) return node.map((inner, i) => (i === at ? rebuild(inner, rest) : inner))
    return Object.fromEntries(
      Object.entries(node).flatMap(([name, inner]): [string, Node][] => {
        if (name !== at) return [[name, inner]]
        if (rest.length > 0) return [[name, rebuild(inner, rest)]]
        return key === null ? [] : [[key, value]]
      }),
    )
  }
  return { shape: 'json', tree: rebuild(body.tree, leaf.path) as Tree }
}

/** The body with a leaf or a branch more, on its outer level. */
export function withMore(body: Body, key: string, value: Node): Body {
  if (body.shape === 'json') return { shape: 'json', tree: { ...body.tree, [key]: value } }
  if (body.shape === 'pairs') return { ...body, pairs: [...body.pairs, [key, String(value)]] }
  return body
}

/** Whether a key stands on the outer level already. */
export function has(body: Body, key: string): boolean {
  if (body.shape === 'json') return key in body.tree
  return body.shape === 'pairs' && body.pairs.some(([name]) => name === key)
}
