// One folder's contents for another's: all of it, or none when anything on the way fails.
import { mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Exchange {
  readonly from: string
  readonly into: string
  /** Names in `into` that go to `aside`, which is made for them. */
  readonly old: readonly string[]
  readonly aside: string | null
  /** Names in `from`, in the order in which they come. */
  readonly fresh: readonly string[]
}

/** Gives the way back. */
export function exchange({ from, into, old, aside, fresh }: Exchange): () => void {
  const done: (() => void)[] = []
  const back = () => {
    for (const undo of done.reverse()) undo()
  }
  const move = (a: string, b: string) => {
    renameSync(a, b)
    done.push(() => renameSync(b, a))
  }
  try {
    if (aside !== null) {
      mkdirSync(aside, { mode: 0o700 })
      done.push(() => rmdirSync(aside))
      for (const name of old) move(join(into, name), join(aside, name))
    }
    for (const name of fresh) move(join(from, name), join(into, name))
    return back
  } catch (error) {
    back()
    throw error
  }
}
