// What a notification says of a record, word by word (domain §7.7; §5.3, rule 4).
import { describe, expect, test } from 'vitest'
import type { SignalRecord } from '#contract/signal.ts'
import { SAMPLE_RECORDS } from '#features/signal/sample/records.ts'
import { wordsOfSignal } from '#server/notify/words.ts'

const closing = SAMPLE_RECORDS.find(({ derived }) => derived.realised_pnl !== null) as SignalRecord
const OCCURRED = '2026-11-20T01:15:00.000Z'

/** The closing record, come so many seconds after its moment. */
const cameAfter = (seconds: number): SignalRecord => ({
  ...closing,
  occurred_at: OCCURRED,
  received_at: new Date(Date.parse(OCCURRED) + seconds * 1_000).toISOString(),
  flags: ['late'],
})
const said = (record: SignalRecord, level: 'full' | 'symbol_only' | 'new_only' = 'full') =>
  wordsOfSignal(record, '台指突破', level).lines.join('\n')

describe('a late record', () => {
  test('says by how many whole minutes, and never none', () => {
    expect(said(cameAfter(185))).toContain('11/20 09:15:00（延遲 3 分鐘）')
    expect(said(cameAfter(45))).toContain('（延遲 1 分鐘）')
    expect(said(cameAfter(7_200))).toContain('（延遲 120 分鐘）')
  })
  test('one that is not late says nothing of it, a shortened one neither', () => {
    expect(said({ ...cameAfter(30), flags: [] })).not.toContain('延遲')
    expect(said(cameAfter(185), 'symbol_only')).not.toContain('延遲')
    expect(said(cameAfter(185), 'new_only')).toBe('')
  })
})
