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
    return [...this.#found].flatMap(([value, what]) =>
      [value, Buffer.from(value).toString('base64').replace(/=+$/, '').slice(0, -2)].flatMap((shown) => {
        const at = text.indexOf(shown)
        return at < 0 ? [] : [`${what}: …${text.slice(Math.max(0, at - 120), at + 60)}…`]
      }),
    )
  }
}
