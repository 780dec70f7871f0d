// What a row says of somebody's place in a group: its state is the server's, of place and membership together, and the days are, too.
import { expect, it } from 'vitest'
import { stateOf, within } from '#contract/access.ts'
import { periodStateWords, periodText, placePeriod } from '#features/organization/words.ts'

const TODAY = '2026-11-27'
/** The row's words as the server would have it on {@link TODAY}. */
function said(ends_on: string | null, member_expires_on: string | null) {
  const place = { starts_on: '2026-11-01', ends_on }
  const state = stateOf(within(place, { starts_on: '2026-10-01', ends_on: member_expires_on }), TODAY)
  const period = placePeriod({ ...place, member_expires_on })
  return [periodStateWords(state, period, TODAY).text, periodText(period)]
}

it('an open place of a membership that ends soon says how many days are left, as the count above it does', () => {
  expect(said(null, '2026-12-01')).toEqual(['剩 4 天', '2026/11/01 – 2026/12/01'])
  expect(said('2027-06-30', '2026-12-01')).toEqual(['剩 4 天', '2026/11/01 – 2026/12/01'])
})
it('whichever comes first', () => {
  expect(said('2026-11-27', '2026-12-01')).toEqual(['今天到期', '2026/11/01 – 2026/11/27'])
  expect(said('2026-11-29', null)).toEqual(['剩 2 天', '2026/11/01 – 2026/11/29'])
  expect(said(null, '2026-11-26')).toEqual(['已到期', '2026/11/01 – 2026/11/26'])
  expect(said(null, null)).toEqual(['有效', '2026/11/01 起'])
})
