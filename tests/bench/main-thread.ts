// What a page's main thread works: unlike the clock it says the same on a machine that has other things to do.
import type { Page } from 'playwright'
import { round } from './figures.ts'

/** Begins to count; what it gives says the milliseconds of processor that the page's main thread has taken since. */
export async function mainThread(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const taken = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const found = metrics.find(({ name }) => name === 'TaskDuration')
    if (!found) throw new Error('the browser names no TaskDuration')
    return found.value * 1_000
  }
  const before = await taken()
  return async () => {
    const after = await taken()
    await session.detach()
    return round(after - before)
  }
}
