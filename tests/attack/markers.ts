// Secrets that can be told from everything else, to be looked for where they must not be.
import { randomBytes } from 'node:crypto'

/** Secrets by what they are; a text that shows one is told by that name. */
export class Markers {
  readonly #found = new Map<string, string>()
  get count(): number {
    return this.#found.size
  }
  /** A new secret word. */
  make(what: string): string {
    return this.keep(`${what} ${this.#found.size}`, `zq${randomBytes(8).toString('hex')}`)
  }
  /** One that somebody else made. */
  keep(what: string, value: string): string {
    this.#found.set(value, what)
    return value
  }
  /** What shows in the text, with a little around it. Base64 hides nothing. */
  in(text: string): string[] {
    const words = new Map<string, string>()
    const rest: [shown: string, what: string][] = []
    for (const [value, what] of this.#found)
      for (const shown of [value, inBase64(value)])
        if (WORD.test(value)) words.set(shown, what)
        else rest.push([shown, what])
    // Thousands of words in megabytes of log: whatever looks like one is looked up, not each one looked for.
    for (const { 1: shown = '' } of text.matchAll(LIKE_WORDS)) {
      const what = words.get(shown)
      if (what !== undefined) rest.push([shown, what])
    }
    return [...new Map(rest)].flatMap(([shown, what]) => {
      const at = text.indexOf(shown)
      return at < 0 ? [] : [`${what}: …${text.slice(Math.max(0, at - 120), at + 60)}…`]
    })
  }
}

/** A word of `make`; and it, or its 22 characters of Base64, anywhere in a text, also inside others. */
const WORD = /^zq[0-9a-f]{16}$/
const LIKE_WORDS = /(?=(zq[0-9a-f]{16}|en[EF][\w+/]{19}))/g
const inBase64 = (value: string) => Buffer.from(value).toString('base64').replace(/=+$/, '').slice(0, -2)
