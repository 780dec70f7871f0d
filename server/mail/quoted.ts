// A name of somebody else's choosing as it may stand in a mail: also one from before names were checked.
import { hasAddress } from '#contract/fields.ts'

/**
 * One line without invisible signs, at most 60 characters; the words that read like addresses are left out. Nobody knows all
 * endings of addresses, and mail programs make links of what they know: after a dot stands a space.
 */
export function quoted(name: string): string {
  return plainName(name).replace(/(?<=[\p{L}\p{N}-])([.．。｡])(?=\p{L})/gu, '$1 ') || '凌波的使用者'
}

/** The same; '' when nothing of it is left. */
export function plainName(name: string): string {
  const line = name
    .replace(/[\s\u0085\u2028\u2029]+/g, ' ')
    .replace(/(?![\u200c\u200d])\p{C}/gu, '')
    .split(' ')
    .filter((word) => !hasAddress(word))
    .join(' ')
    .trim()
  return [...line].slice(0, 60).join('')
}
