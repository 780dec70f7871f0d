// What a name or a value suggests to somebody who maps a message. Only the proposal may guess by it: a person sees it tried before it counts.
import { resolveSymbol } from '../symbols.ts'
import { MAPPING_FIELDS, type MappingField } from './shape.ts'
import { numberOf, timeOf } from './values.ts'
import { type FieldName, fieldOfName, keyName, meaningOf } from './vocabulary.ts'

/** Tokens of names beyond those that are read without a mapping. */
const TOKENS: Readonly<Record<MappingField, string>> = {
  symbol:
    'symbol sym ticker tkr instrument inst pair product prod code contract stock security asset target 標的 商品 代號 代碼 合約 股票',
  action:
    'action act signal sig side order direction dir cmd command operation op type event trade move bs 動作 方向 買賣 訊號 指令 多空',
  quantity:
    'quantity qty size lots lot contracts shares share volume vol units unit count num amount 數量 口數 張數 股數 口 張 股',
  price: 'price px prc rate level close last fill entry 價格 價位 價 成交價 觸發價 訊號價',
  time: 'time timestamp ts date datetime when fired dt 時間 日期 時刻',
  position: 'position pos holding holdings 部位 倉位 持倉',
  id: 'id uuid key ref 編號 單號 序號',
  note: 'note comment msg message text remark reason memo desc description 備註 說明 附註 原因',
}
const HINTS = new Map<string, MappingField[]>()
for (const field of MAPPING_FIELDS)
  for (const token of TOKENS[field].split(' ')) HINTS.set(token, [...(HINTS.get(token) ?? []), field])

/** What a name that is read anyway stands for, as the field a mapping would name. */
const OF: Partial<Record<FieldName, MappingField>> = {
  symbol: 'symbol',
  month: 'symbol',
  action: 'action',
  weak_action: 'action',
  side: 'action',
  quantity: 'quantity',
  contracts: 'quantity',
  lots: 'quantity',
  futures_lots: 'quantity',
  board_lots: 'quantity',
  shares: 'quantity',
  price: 'price',
  close: 'price',
  now: 'time',
  stamp: 'time',
  time: 'time',
  position: 'position',
  prev: 'position',
  id: 'id',
  note: 'note',
}

/** How loudly something speaks for a field; `word` is what spoke. */
export interface FieldHint {
  weight: number
  word: string | null
}
const NONE: FieldHint = { weight: 0, word: null }
const NEVER: FieldHint = { weight: -100, word: null }

/** What the last part of a path says: a name that is read anyway, or a token of it. */
export function nameHint(path: string, field: MappingField): FieldHint {
  const last = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path
  const known = fieldOfName(last)
  if (known !== undefined && OF[known] === field) return { weight: 6, word: last }
  const tokens = last.replace(/([a-z0-9])([A-Z])/g, '$1_$2').split(/[^\p{L}\p{N}]+/u)
  const word = tokens.find((token) => HINTS.get(keyName(token))?.includes(field))
  return word === undefined ? NONE : { weight: 4, word }
}

/** What a value says; `product` is the strategy's own, in whose favour a symbol counts. */
export function valueHint(value: string, field: MappingField, at: string, product: string | null): FieldHint {
  const n = numberOf(value)
  switch (field) {
    case 'symbol': {
      const found = resolveSymbol(value, at)
      if (!found || (found.asset === 'stock' && product !== null)) return n === null ? NONE : NEVER
      return { weight: found.symbol === product || found.asset === 'stock' ? 5 : 3, word: value }
    }
    case 'action':
      if (meaningOf(value) !== null) return { weight: 5, word: value }
      return n !== null || value.length > 30 ? { weight: -1, word: null } : NONE
    case 'quantity':
      return sized(value) ? { weight: 1, word: value } : NEVER
    case 'price':
      return n !== null && n > 0 ? { weight: 1, word: null } : NEVER
    case 'time': {
      const at_ms = timeOf(value)
      if (at_ms === null || at_ms === 'bad') return NEVER
      return { weight: /\d[-/:]\d/.test(value) || value.length > 9 ? 5 : 1, word: value }
    }
    case 'position':
      return n === null ? NEVER : NONE
    case 'id':
    case 'note':
      return NONE
  }
}

/** A whole number, with or without the word of its unit. */
export function sized(value: string): { count: string; unit: string } | null {
  const m = /^([\d,]{1,15}(?:\.0{1,9})?)\s{0,3}([\p{L}]{0,12})$/u.exec(value.normalize('NFKC').trim())
  return m ? { count: m[1] as string, unit: m[2] as string } : null
}
