// Stars, underscores and tildes: which of them belong together. The stack never holds more than the five marks there are.
import type { Inline } from './tree.ts'

/** A run of one sign that may begin or end an emphasis. */
export interface EmphasisMark {
  readonly kind: 'mark'
  readonly sign: string
  readonly count: number
  readonly opens: boolean
  readonly closes: boolean
}
interface Open {
  readonly mark: string
  readonly inside: Inline[]
}

const MEANS: Record<string, 'strong' | 'em' | 'strike'> = {
  '**': 'strong',
  __: 'strong',
  '*': 'em',
  _: 'em',
  '~~': 'strike',
}

/** Adds text, to the text before it where there is one. */
export function addText(to: Inline[], text: string): void {
  const last = to.at(-1)
  if (last?.kind === 'text') to[to.length - 1] = { kind: 'text', text: last.text + text }
  else if (text !== '') to.push({ kind: 'text', text })
}

function addAll(to: Inline[], all: readonly Inline[]): void {
  for (const one of all)
    if (one.kind === 'text') addText(to, one.text)
    else to.push(one)
}

/** Marks that have no partner are the signs they are. */
export function emphasise(pieces: readonly (Inline | EmphasisMark)[]): Inline[] {
  const root: Inline[] = []
  const stack: Open[] = []
  const top = () => stack.at(-1)?.inside ?? root
  /** It was no beginning: its sign and all behind it go to what it stands in. */
  const literal = (at: number) => {
    const [open] = stack.splice(at, 1) as [Open]
    const below = stack[at - 1]?.inside ?? root
    addText(below, open.mark)
    addAll(below, open.inside)
  }
  const close = (at: number) => {
    while (stack.length > at + 1) literal(stack.length - 1)
    const { mark, inside } = stack.pop() as Open
    top().push({ kind: MEANS[mark] as 'em', inside })
  }
  const begin = (mark: string) => {
    // the later one is the likelier beginning
    const before = stack.findIndex((open) => open.mark === mark)
    if (before >= 0) literal(before)
    stack.push({ mark, inside: [] })
  }
  for (const piece of pieces) {
    if (piece.kind !== 'mark') {
      addAll(top(), [piece])
      continue
    }
    let left = piece.count
    while (left > 0 && piece.closes) {
      const at = stack.findLastIndex(({ mark }) => mark[0] === piece.sign && mark.length <= left)
      if (at < 0) break
      left -= (stack[at] as Open).mark.length
      close(at)
    }
    if (!piece.opens) addText(top(), piece.sign.repeat(left))
    else if (left > 0) {
      if (left > 1) begin(piece.sign.repeat(2))
      if (left !== 2) begin(piece.sign)
    }
  }
  while (stack.length > 0) literal(stack.length - 1)
  return root
}
