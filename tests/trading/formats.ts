// A person by script: confirms a proposal that is right, and no other. What it costs and what is read then is judged.

import type { ConfirmedFormat, QuestionId } from '#trading/reader/format.ts'
import { compileFormats, mergeFormats, proposeFormat, readMessage } from '#trading/reader/read.ts'
import type { PayloadInput, ReadOutcome } from '#trading/reader/shape.ts'
import { alternativesOf, type CorpusCase, inputFor, judge } from './corpus.ts'

/** A webhook with the formats that its person has confirmed. */
export class Desk {
  confirmed: ConfirmedFormat[] = []
  asked = 0
  #formats: ReturnType<typeof compileFormats> | null = null
  readonly #multicharts: boolean

  constructor(multicharts = false) {
    this.#multicharts = multicharts
  }

  get formats(): ReturnType<typeof compileFormats> {
    this.#formats ??= compileFormats(this.confirmed, this.#multicharts)
    return this.#formats
  }

  read(input: PayloadInput): ReturnType<typeof readMessage> {
    return readMessage(input, this.formats)
  }

  /** Looks at the proposal of a held message; confirms it where it, or one answer, is what the message means. */
  confirm(entry: Pick<CorpusCase, 'expect'>, input: PayloadInput): boolean {
    if (alternativesOf(entry.expect).every((one) => !('signal' in one))) return false
    const right = (outcome: ReadOutcome | null) =>
      outcome?.kind === 'signal' && judge(entry, outcome) === 'right'
    let answers: { [id in QuestionId]?: string } = {}
    let found = proposeFormat({ ...input, answers: this.formats.answers })
    for (const { id, options } of found.questions) {
      const option = options.find(({ outcome }) => right(outcome))
      if (option) answers = { ...answers, [id]: option.value }
    }
    if (found.questions.length > 0)
      found = proposeFormat({ ...input, answers: { ...this.formats.answers, ...answers } })
    if (found.format === null || found.questions.length > 0 || !right(found.outcome)) return false
    this.asked += 1
    const more = found.format
    const at = this.confirmed.findIndex(({ format }) => mergeFormats(format, more) !== null)
    const merged = at < 0 ? null : mergeFormats((this.confirmed[at] as ConfirmedFormat).format, more)
    if (merged === null) this.confirmed.push({ id: `f${this.confirmed.length}`, format: more })
    else this.confirmed[at] = { id: (this.confirmed[at] as ConfirmedFormat).id, format: merged }
    this.#formats = null
    return true
  }
}

export const deskFor = (entry: CorpusCase): Desk => new Desk(entry.format === 'multicharts')

/** What becomes of a body where a person has looked at its proposal: read, or left where it is held. */
export function readByPerson(entry: CorpusCase): ReturnType<typeof readMessage> {
  const desk = deskFor(entry)
  const input = inputFor(entry)
  const out = desk.read(input)
  return out.kind === 'held' && desk.confirm(entry, input) ? desk.read(input) : out
}
