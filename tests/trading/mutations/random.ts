// Choices that a seed repeats, and what a mutation is.
import type { WantedSignal } from '../corpus.ts'
import type { Base } from './meaning.ts'

export interface Random {
  flip(): boolean
  upTo(n: number): number
  one<T>(list: readonly T[]): T | undefined
}

/** mulberry32: small, and the same everywhere. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    flip: () => next() < 0.5,
    upTo: (n) => Math.floor(next() * n),
    one: (list) => list[Math.floor(next() * list.length)],
  }
}

/** A changed body with the readings that are right for it; a refusal always is. Null: does not apply. */
export interface Changed {
  body: string
  allowed: readonly WantedSignal[]
}
export type Mutator = (base: Base, random: Random) => Changed | null
