// A person opened a record, said to whoever tells the server of it (nouns/seen.ts), which comes later than the first screen.

/** What was opened before somebody listened; a page opens with one. */
const MOST = 20
let waiting: string[] = []
let hear: ((signal_id: string) => void) | null = null

export function opened(signal_id: string): void {
  if (hear) hear(signal_id)
  else waiting = [...waiting, signal_id].slice(-MOST)
}

/** Hears them from now on; the returned function ends it. */
export function onOpened(listener: (signal_id: string) => void): () => void {
  hear = listener
  const before = waiting
  waiting = []
  for (const id of before) listener(id)
  return () => {
    if (hear === listener) hear = null
    waiting = []
  }
}
