// A name of somebody else's choosing as it may stand in a mail: also one from before names were checked.
import { hasAddress } from '#contract/fields.ts'

/** One line without invisible signs, at most 60 characters; the words that read like addresses are left out. */
export function quoted(name: string): string {
  return plainName(name) || '凌波的使用者'
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
