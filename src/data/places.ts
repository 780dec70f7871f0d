// Where the event stream stood before each answer was read, as far as the server said so: a stream from there tells what came after.

/** Asks for, and brings, the cursor of the stream before an answer was read. */
export const PLACE_HEADER = 'lb-cursor'
/** Where the stream stood before an answer was read, and in which turns of the page it was asked for (0: before the application ran) and came. */
export interface Place {
  readonly cursor: string
  readonly asked: number
  readonly came: number
}
const places = new WeakMap<object, readonly Place[]>()
let turn = 0
export const nextTurn = (): number => ++turn

/** Keeps where this answer stood; `asked` in which turn. */
export function stood(result: unknown, { headers }: Response, asked: number): unknown {
  const cursor = headers.get(PLACE_HEADER)
  if (cursor !== null && typeof result === 'object' && result !== null)
    places.set(result, [{ cursor, asked, came: ++turn }])
  return result
}

/** The places of an answer, of pages, or of what was made of answers; none where one of them is not known. */
export function placesOf(data: unknown): readonly Place[] {
  if (typeof data !== 'object' || data === null) return []
  return 'pages' in data && Array.isArray(data.pages) ? allPlaces(data.pages) : (places.get(data) ?? [])
}
function allPlaces(answers: readonly unknown[]): readonly Place[] {
  const found = answers.map(placesOf)
  return found.every(({ length }) => length > 0) ? found.flat() : []
}

/** What was made of several answers has their places. */
export function madeOf<T extends object>(made: T, answers: readonly unknown[]): T {
  places.set(made, allPlaces(answers))
  return made
}
