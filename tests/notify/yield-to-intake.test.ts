// Who plans and sends rests while signals crowd at the intake, and no longer.
import { expect, test } from 'vitest'
import { yieldToIntake } from '#server/limits/rate.ts'

/** An intake that is pressed for so many looks. */
function pressedFor(looks: number) {
  const intake = { looked: 0, pressed: () => intake.looked++ < looks }
  return intake
}
const never = new Promise<void>(() => {})

test('without a crowd nothing is waited for, not even what was begun', async () => {
  const intake = pressedFor(0)
  await yieldToIntake(intake, performance.now(), [never])
  expect(intake.looked).toBe(1)
})

test('in a crowd what was begun counts as work, but a receiver that never answers does not hold it up', async () => {
  const intake = pressedFor(3)
  let sent = false
  const soon = new Promise<void>((done) => setTimeout(done, 20)).then(() => {
    sent = true
  })
  await yieldToIntake(intake, performance.now() - 1_000, [soon, never])
  expect(sent).toBe(true)
})

test('the rest ends with the crowd: it looks again before its time is over', async () => {
  for (;;) {
    const intake = pressedFor(2)
    const began = performance.now()
    await yieldToIntake(intake, began - 60_000)
    // On a machine that stood still for as long as the rest its time was over, too: that says nothing.
    if (performance.now() - began > 2_000) continue
    expect(intake.looked).toBe(3)
    return
  }
})

test('all who work rest together: the second waits for what the first took, too', async () => {
  const intake = pressedFor(1_000)
  const began = performance.now()
  await Promise.all([yieldToIntake(intake, began - 5), yieldToIntake(intake, began - 5)])
  expect(performance.now() - began).toBeGreaterThan(2 * 5 * 29 - 5)
})
