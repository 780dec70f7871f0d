// The worker that folds while the screen stays free: one question in, one answer out, by number.
import { type FiguresQuestion, type Standing, standingOf } from './figures.ts'

export interface Asked {
  n: number
  question: FiguresQuestion
}
export type Answered = { n: number } & ({ standing: Standing } | { failed: string })

self.addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  self.postMessage(answer(data))
})

function answer({ n, question }: Asked): Answered {
  try {
    return { n, standing: standingOf(question) }
  } catch (error) {
    return { n, failed: String(error) }
  }
}
