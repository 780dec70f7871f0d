// What the keys over a note do to its text: which part is replaced, by what, and what is selected afterwards. Pure, so that 復原 can take each back.

/** `select` is counted in the new text. */
export interface TextEdit {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly select: readonly [from: number, to: number]
}

const PLACEHOLDER = '文字'

/** Bold, italic: around what is selected, or away from it. */
export function around(value: string, from: number, to: number, mark: string): TextEdit {
  const [before, behind] = [value.slice(from - mark.length, from), value.slice(to, to + mark.length)]
  const inside = value.slice(from, to)
  // of ** a single star is no italic
  const longer = value[from - mark.length - 1] === mark[0] && mark.length === 1
  if (before === mark && behind === mark && !longer)
    return {
      from: from - mark.length,
      to: to + mark.length,
      text: inside,
      select: [from - mark.length, to - mark.length],
    }
  const text = inside || PLACEHOLDER
  const start = from + mark.length
  return { from, to, text: mark + text + mark, select: [start, start + text.length] }
}

/** Heading, list: before each line that the selection touches, or away from all of them. */
export function before(value: string, from: number, to: number, mark: string): TextEdit {
  const start = value.lastIndexOf('\n', from - 1) + 1
  const end = value.indexOf('\n', to)
  const stop = end < 0 ? value.length : end
  const lines = value.slice(start, stop).split('\n')
  const has = lines.every((line) => line.startsWith(mark))
  const text = lines.map((line) => (has ? line.slice(mark.length) : mark + line)).join('\n')
  return { from: start, to: stop, text, select: [start + text.length, start + text.length] }
}

/** A link of what is selected: its words are there, or its address. */
export function link(value: string, from: number, to: number): TextEdit {
  const inside = value.slice(from, to)
  if (/^https?:\/\/\S+$/.test(inside))
    return {
      from,
      to,
      text: `[${PLACEHOLDER}](${inside})`,
      select: [from + 1, from + 1 + PLACEHOLDER.length],
    }
  const words = inside || PLACEHOLDER
  const start = from + words.length + 3
  return { from, to, text: `[${words}](https://)`, select: [start, start + 'https://'.length] }
}

/** A picture in lines of its own, behind what is selected. */
export function picture(value: string, at: number, url: string): TextEdit {
  const [above, below] = [value.slice(0, at), value.slice(at)]
  const lead = above === '' || above.endsWith('\n\n') ? '' : above.endsWith('\n') ? '\n' : '\n\n'
  const tail = below.startsWith('\n') ? '\n' : '\n\n'
  const text = `${lead}![圖片](${url})${tail}`
  const words = at + lead.length + 2
  return { from: at, to: at, text, select: [words, words + '圖片'.length] }
}

/** The whole text after it. */
export function edited(value: string, { from, to, text }: TextEdit): string {
  return value.slice(0, from) + text + value.slice(to)
}
