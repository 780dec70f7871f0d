// One source for the figures of every example: what a person compares while connecting a strategy never differs from page to page.
import { expect, test } from 'vitest'
import { MULTICHARTS_LINE, XQ_LINE } from '#features/guide/topics.ts'
import { SAMPLE_RECORDS } from '#features/signal/sample/records.ts'
import { templateOf } from '#text/webhook.ts'
import { EXAMPLE, exampleLevel } from '#trading/examples.ts'

test('every place shows the one level', () => {
  expect(templateOf('curl').text).toContain(`"price":${EXAMPLE.index}`)
  expect(XQ_LINE).toContain(String(EXAMPLE.index))
  expect(MULTICHARTS_LINE).toContain(String(EXAMPLE.index))
  expect(SAMPLE_RECORDS[0]?.price).toBe(EXAMPLE.index)
  expect(['TXF', 'MXF', 'TMF'].map(exampleLevel)).toEqual(Array(3).fill(EXAMPLE.index))
})
