// The keys of the sheet: what a person can ask for, by what is held and what the strategy trades (domain §7.6).
import type { Strategy } from '#contract/strategy.ts'
import { ASKED } from '#text/row.ts'
import { MOVED } from '#text/signal.ts'
import { assetOf } from '#trading/kinds.ts'
import { type ManualAction, takesAll } from '#trading/manual.ts'

export interface ActionKey {
  action: ManualAction
  label: string
  /** The whole position: no quantity belongs to it. */
  whole?: true
}

type Held = Pick<Strategy, 'kind' | 'direction' | 'settings' | 'allow_pyramiding'>

/** In the order of the keys; `position` signed. */
export function actionKeys(position: number, strategy: Held): ActionKey[] {
  const asset = assetOf(strategy)
  const words = MOVED[asset]
  const { direction, allow_pyramiding } = strategy
  const may_short = direction !== 'long' && (asset === 'futures' || shorts(strategy.settings))
  if (position === 0) {
    const keys: ActionKey[] = []
    if (direction !== 'short') keys.push({ action: 'long_entry', label: words.open.long })
    if (may_short) keys.push({ action: 'short_entry', label: words.open.short })
    return keys
  }
  const long = position > 0
  const side = long ? 'long' : 'short'
  const keys: ActionKey[] = []
  if (allow_pyramiding) keys.push({ action: long ? 'long_entry' : 'short_entry', label: words.add[side] })
  keys.push({
    action: long ? 'long_exit' : 'short_exit',
    label: words.reduce[side],
  })
  keys.push({
    action: 'close_all',
    label: `${asset === 'stock' ? '全部' : ''}${words.close[side]}`,
    whole: true,
  })
  if (direction === 'both' && (!long || may_short))
    keys.push({ action: 'reverse', label: words.reverse[long ? 'short' : 'long'], whole: true })
  return keys
}

const shorts = (settings: object) => 'allow_day_trade' in settings && settings.allow_day_trade === true

/** What was asked for before stays among the keys, also where nothing is held any more that it could be done with. */
export function withAsked(keys: ActionKey[], asked: ManualAction): ActionKey[] {
  if (keys.some(({ action }) => action === asked)) return keys
  return [{ action: asked, label: ASKED[asked].word, ...(takesAll(asked) && { whole: true }) }, ...keys]
}
