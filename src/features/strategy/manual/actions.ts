// The keys of the sheet: what a person can ask for, by what is held and what the strategy trades (domain §7.6).
import type { Strategy } from '#contract/strategy.ts'
import { ASKED } from '#text/row.ts'
import { type ManualAction, takesAll } from '#trading/manual.ts'

export interface ActionKey {
  action: ManualAction
  label: string
  /** The whole position: no quantity belongs to it. */
  whole?: true
}

type Held = Pick<Strategy, 'direction' | 'settings' | 'allow_pyramiding'>

/** In the order of the keys; `position` signed. */
export function actionKeys(position: number, strategy: Held): ActionKey[] {
  const stock = !('product_code' in strategy.settings)
  const { direction, allow_pyramiding } = strategy
  const may_short = direction !== 'long' && (!stock || shorts(strategy.settings))
  if (position === 0) {
    const keys: ActionKey[] = []
    if (direction !== 'short') keys.push({ action: 'long_entry', label: stock ? '買進' : '做多' })
    if (may_short) keys.push({ action: 'short_entry', label: stock ? '當沖先賣' : '做空' })
    return keys
  }
  const long = position > 0
  const keys: ActionKey[] = []
  if (allow_pyramiding)
    keys.push({ action: long ? 'long_entry' : 'short_entry', label: stock && long ? '買進加碼' : '加碼' })
  keys.push({
    action: long ? 'long_exit' : 'short_exit',
    label: stock ? (long ? '賣出一部分' : '回補一部分') : '減碼',
  })
  keys.push({ action: 'close_all', label: stock ? (long ? '全部賣出' : '全部回補') : '平倉', whole: true })
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
