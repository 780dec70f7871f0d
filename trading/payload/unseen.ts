// Signs nobody sees that change what others read, or that no database keeps: they are no part of a note, an id or a name.

/** NUL, half characters, and the marks that turn the direction of writing. */
const UNSEEN = /[\0\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The text without them. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, '')
}

/** True when there is one. */
export function hasUnseen(text: string): boolean {
  return text.search(UNSEEN) >= 0
}
