// Mutations of the action's own word: another way out, or the other way round.
import { has, print, withLeaf } from './body.ts'
import { exits, FLIPPED, leavesAs, WORDS, withoutSize } from './meaning.ts'
import type { Mutator } from './random.ts'

const EXITS = ['close', 'exit', 'flat', '平倉', '出場', 'close_all', 'flatten', '全部平倉']
export const exitWord: Mutator = (base, random) => {
  const leaf = leavesAs(base, 'action')[0]
  // A size that 全部平倉 passes over is the exit's.
  if (!leaf || !base.plain || (base.meant.action === 'close_all' && leavesAs(base, 'quantity').length > 0))
    return null
  return {
    body: print(withLeaf(base.body, leaf, leaf.key, random.one(EXITS) as string)),
    allowed: exits(base),
  }
}

export const turned: Mutator = (base, random) => {
  const leaf = leavesAs(base, 'action')[0]
  const keys = Object.keys(FLIPPED) as (keyof typeof FLIPPED)[]
  const action = random.one(keys)
  // An old entry price counts on entries only.
  if (!leaf || !base.plain || !action || has(base.body, 'entry_price')) return null
  // A size that 全部平倉 passes over is another exit's own.
  if (base.meant.action === 'close_all' && leavesAs(base, 'quantity').length > 0) return null
  const body = print(withLeaf(base.body, leaf, leaf.key, random.one(WORDS[action] ?? []) as string))
  const { meant, strategy } = base
  if (meant.action === 'target') return { body, allowed: [meant] }
  // From an exit without a size to an entry, or back, the size is the default or all.
  const closes = action.endsWith('exit')
  const unsized =
    meant.quantity === null || leavesAs(base, 'quantity').length === 0 || strategy.quantity_mode === 'fixed'
  const said = { ...meant, action }
  return {
    body,
    allowed: unsized
      ? withoutSize({ ...base, meant: said })
      : closes || meant.action !== 'close_all'
        ? [said]
        : [],
  }
}
