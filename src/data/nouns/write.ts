// A call that changes something, and what follows from it on this device, as one: a screen that adds its own `onSuccess` cannot lose it.
import { getData } from '../current.ts'
import type { Key } from '../keys.ts'

/** For `useMutation`, alone or spread beside a screen's own `onSuccess` and `onError`; a form calls `mutationFn` itself. */
export interface Write<I, O> {
  mutationFn: (input: I) => Promise<O>
}

/** `then` has the answer before any screen has. */
export function write<O, I = void>(
  call: (input: I) => Promise<O>,
  then?: (answer: O, input: I) => void,
): Write<I, O> {
  return {
    mutationFn: async (input) => {
      const answer = await call(input)
      then?.(answer, input)
      return answer
    },
  }
}

/** What is shown of these is asked for again; resolves when the answers are here. */
export async function askAgain(...all: readonly Key[]): Promise<void> {
  const { query } = getData()
  await Promise.all(all.map((queryKey) => query.invalidateQueries({ queryKey })))
}

/** A further record comes by its event; without a stream it has to be fetched. */
export function fetchUntold(): void {
  const data = getData()
  if (data.connection.getSnapshot() !== 'online') void data.refresh()
}
