// The sample signals are signals, and every choice of the filter form finds some of them and leaves others out.
import { expect, test } from 'vitest'
import { signal_record } from '#contract/signal.ts'
import { SAMPLE_NAMES, SAMPLE_RECORDS } from '#features/signal/sample/records.ts'
import { matcher, type SignalSearch } from '#features/signal/search.ts'

test.each(SAMPLE_RECORDS.map((one) => [one.occurred_at, one] as const))('%s', (_, one) => {
  expect(signal_record.safeParse(one).error?.issues ?? []).toEqual([])
})

const CHOICES: SignalSearch[] = [
  { kind: 'futures' },
  { kind: 'stock' },
  ...[...SAMPLE_NAMES.keys()].map((strategy) => ({ strategy })),
  { effect: 'open' },
  { effect: 'close' },
  { action: 'sell' },
  { side: 'short' },
  { source: 'manual' },
  { text: '台積電' },
]
test.each(CHOICES)('%j', (search) => {
  const match = matcher(search, SAMPLE_NAMES)
  const found = SAMPLE_RECORDS.filter((one) => match?.(one)).length
  expect(found).toBeGreaterThan(0)
  expect(found).toBeLessThan(SAMPLE_RECORDS.length)
})
