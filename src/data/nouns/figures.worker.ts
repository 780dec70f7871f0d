// The worker that folds while the screen stays free: one question in, one answer out, by number.
import type { FiguresQuestion } from './figures.ts'
import { standingOf, stocksOf } from './folded.ts'

/** What a question may ask for, and what works it out. */
const WAYS = { standing: standingOf, stocks: stocksOf }
export type Ways = typeof WAYS

export interface Asked {
  n: number
  way: keyof Ways
  question: FiguresQuestion
}
export type Answered = { n: number } & ({ found: ReturnType<Ways[keyof Ways]> } | { failed: string })

self.addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  self.postMessage(answer(data))
})

function answer({ n, way, question }: Asked): Answered {
  try {
    return { n, found: WAYS[way](question) }
  } catch (error) {
    return { n, failed: String(error) }
  }
}
