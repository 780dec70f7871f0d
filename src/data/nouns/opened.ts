// A person opened a record, or looked at it in the feed: said to whoever tells the server of it (nouns/seen.ts), which comes later
// than the first screen.

export type Did = 'opened' | 'looked'

/** What was done before somebody listened; a page opens with a record, and with a screen of them. */
const MOST = 50
let waiting: [Did, string][] = []
let hear: ((did: Did, signal_id: string) => void) | null = null

function say(did: Did, signal_id: string): void {
  if (hear) hear(did, signal_id)
  else waiting = [...waiting, [did, signal_id] satisfies [Did, string]].slice(-MOST)
}
export const opened = (signal_id: string): void => say('opened', signal_id)
/** It stood in view for a second. */
export const looked = (signal_id: string): void => say('looked', signal_id)

/** Hears them from now on; the returned function ends it. */
export function onOpened(listener: (did: Did, signal_id: string) => void): () => void {
  hear = listener
  const before = waiting
  waiting = []
  for (const [did, id] of before) listener(did, id)
  return () => {
    if (hear === listener) hear = null
    waiting = []
  }
}
