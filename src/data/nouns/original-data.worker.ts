// The worker that reads a file of XQ for its preview, while the screen stays free: one file in, its first rows out, with its progress.

import { type ReadFile, type ReadFileOptions, readFileInSlices } from '#trading/original/rows.ts'
import { FileFault } from '#trading/original/shape.ts'

export type Answered = { share: number } | { read: ReadFile } | { fault: string } | { failed: string }

/** Between two words of its progress. */
const EVERY_MS = 50

self.addEventListener('message', ({ data }: MessageEvent<ReadFileOptions>) => {
  const say = (answer: Answered) => self.postMessage(answer)
  try {
    const reading = readFileInSlices(data)
    let told = 0
    let step = reading.next()
    for (; !step.done; step = reading.next()) {
      if (performance.now() - told < EVERY_MS) continue
      told = performance.now()
      say({ share: step.value })
    }
    say({ read: step.value })
  } catch (error) {
    say(error instanceof FileFault ? { fault: error.message } : { failed: String(error) })
  }
})
