// The keys of the sheet: what a person can ask for, by what is held and what the strategy trades (domain §7.6).
import type { Strategy } from '#contract/strategy.ts'
import { ASKED } from '#text/row.ts'
import { assetOf } from '#trading/kinds.ts'
import { type ManualAction, takesAll } from '#trading/manual.ts'
import type { Asset } from '#trading/record.ts'

export interface ActionKey {
  action: ManualAction
  label: string
  /** The whole position: no quantity belongs to it. */
  whole?: true
}

type Side = 'long' | 'short'
const KEY_WORDS: Record<Asset, Record<'enter' | 'more' | 'less' | 'all', Record<Side, string>>> = {
  futures: {
    enter: { long: '做多', short: '做空' },
    more: { long: '加碼', short: '加碼' },
    less: { long: '減碼', short: '減碼' },
    all: { long: '平倉', short: '平倉' },
  },
  stock: {
    enter: { long: '買進', short: '當沖先賣' },
    more: { long: '買進加碼', short: '加碼' },
    less: { long: '賣出一部分', short: '回補一部分' },
    all: { long: '全部賣出', short: '全部回補' },
  },
}

type Held = Pick<Strategy, 'kind' | 'direction' | 'settings' | 'allow_pyramiding'>

/** In the order of the keys; `position` signed. */
export function actionKeys(position: number, strategy: Held): ActionKey[] {
  const asset = assetOf(strategy)
  const words = KEY_WORDS[asset]
  const { direction, allow_pyramiding } = strategy
  const may_short = direction !== 'long' && (asset === 'futures' || shorts(strategy.settings))
  if (position === 0) {
    const keys: ActionKey[] = []
    if (direction !== 'short') keys.push({ action: 'long_entry', label: words.enter.long })
    if (may_short) keys.push({ action: 'short_entry', label: words.enter.short })
    return keys
  }
  const long = position > 0
  const side = long ? 'long' : 'short'
  const keys: ActionKey[] = []
  if (allow_pyramiding) keys.push({ action: long ? 'long_entry' : 'short_entry', label: words.more[side] })
  keys.push({
    action: long ? 'long_exit' : 'short_exit',
    label: words.less[side],
  })
  keys.push({ action: 'close_all', label: words.all[side], whole: true })
  if (direction === 'both' && (!long || may_short))
    keys.push({ action: 'reverse', label: long ? '反手做空' : '反手做多', whole: true })
  return keys
}

const shorts = (settings: object) => 'allow_day_trade' in settings && settings.allow_day_trade === true

/** What was asked for before stays among the keys, also where nothing is held any more that it could be done with. */
export function withAsked(keys: ActionKey[], asked: ManualAction): ActionKey[] {
  if (keys.some(({ action }) => action === asked)) return keys
  return [{ action: asked, label: ASKED[asked].label, ...(takesAll(asked) && { whole: true }) }, ...keys]
}
