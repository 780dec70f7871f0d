// A list of ids in an input, every one of which has to stand for something.
import { invalid } from '#contract/errors.ts'

/** 4220 with the message at the first of the `ids` of a field that is not `known`. */
export function requireKnown(
  field: string,
  ids: readonly string[],
  known: Pick<ReadonlySet<string>, 'has'>,
  message: string,
): void {
  const strange = ids.findIndex((id) => !known.has(id))
  if (strange >= 0) throw invalid({ [`${field}.${strange}`]: message })
}
