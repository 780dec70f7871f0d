// Scrolling a page of the app at an even speed: how many frames came late, and whether anything was missing.
import type { Page } from 'playwright'
import { percentile, round } from './figures.ts'
import { mainThread } from './main-thread.ts'

const PX_PER_S = 3_000
const SCROLL_MS = 4_000
/** A frame that took longer than one and a half of 60 per second is late. */
const LATE_MS = 25

export interface Scrolled {
  frames: number
  late_percent: number
  p99_ms: number
  /** Frames in which nothing of the list was in the middle of the screen. */
  blank: number
  /** Processor of the page's main thread meanwhile. */
  work_ms: number
}

/** Scrolls the page downwards at an even speed and looks at every frame; `item` selects what the list is made of. */
export async function scroll(page: Page, item: string): Promise<Scrolled> {
  const worked = await mainThread(page)
  const { frames, blank } = await page.evaluate(
    ([speed, length, wanted]) =>
      new Promise<{ frames: number[]; blank: number }>((resolve) => {
        const frames: number[] = []
        let blank = 0
        let last = performance.now()
        const end = last + (length as number)
        window.scrollTo(0, 0)
        const step = (now: number) => {
          frames.push(now - last)
          window.scrollBy({ top: ((speed as number) * (now - last)) / 1_000, behavior: 'instant' })
          last = now
          // two points: one alone may lie in the gap between two cards
          const here = [0, 24].map((down) =>
            document.elementFromPoint(innerWidth / 2, innerHeight / 2 + down),
          )
          if (!here.some((one) => one?.closest(wanted as string))) blank++
          if (now < end) requestAnimationFrame(step)
          else resolve({ frames: frames.slice(1), blank })
        }
        requestAnimationFrame(step)
      }),
    [PX_PER_S, SCROLL_MS, item],
  )
  return {
    frames: frames.length,
    late_percent: round((100 * frames.filter((ms) => ms > LATE_MS).length) / frames.length),
    p99_ms: round(percentile(frames, 0.99)),
    blank,
    work_ms: await worked(),
  }
}
