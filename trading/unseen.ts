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

/** Signs that draw nothing: default ignorable ones, and blanks that no `trim` knows. */
const BLANK = /[\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\ufff9-\ufffb]/gu
/** Of them those that draw: the joiner inside an emoji, and a variation of an emoji, a keycap or a Chinese character. */
const DRAWN =
  /(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)|(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]/gu

/** A name without signs that draw nothing: two names that look alike are the same. Marks of direction stay, to be refused. */
export function withoutBlanks(name: string): string {
  const drawn = new Set([...name.matchAll(DRAWN)].map(({ index }) => index))
  return name.replace(BLANK, (sign, at: number) => (drawn.has(at) || hasUnseen(sign) ? sign : ''))
}
