// The intake comes first: while it is pressed, who plans and sends takes a tenth of the time, in larger portions.
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../context.ts'

const SHARE = 10
const MOST_MS = 1_000

/** Rests after work that took so long, if signals crowd at the intake. */
export async function breathe({ intake }: Pick<App, 'intake'>, began: number): Promise<void> {
  if (!intake.pressed) return
  await sleep(Math.min(MOST_MS, (performance.now() - began) * (SHARE - 1)))
}
