// What a copy is called until somebody names it.

/** The longest name of a strategy (wire §4), and of a group (wire §3). */
export const NAME_MOST = 60
const MARK = ' 複本'

/** 台指當沖 → 台指當沖 複本; a long name gives up its end for the mark. */
export function copyName(name: string): string {
  let kept = name
  while (kept.length + MARK.length > NAME_MOST) kept = Array.from(kept).slice(0, -1).join('')
  return kept.trimEnd() + MARK
}
