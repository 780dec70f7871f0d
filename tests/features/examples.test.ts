// One source for the figures of every example: what a person compares while connecting a strategy never differs from page to page.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MULTICHARTS_LINE, XQ_LINE } from '#features/guide/topics/senders.ts'
import { SAMPLE_RECORDS } from '#features/signal/sample/records.ts'
import { templateOf } from '#text/message.ts'
import { EXAMPLE, exampleLevel } from '#trading/examples.ts'

/** Comments may name a figure, and a record that was voided shows another one than the example's. */
const code = (file: string) => readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

test('templates, guide, previews, landing and galleries write no level of their own', () => {
  const files = [
    'src/{features,text,ui}/**/*.{ts,tsx}',
    'trading/payload/*.ts',
    'server/webhook/*.ts',
  ].flatMap((pattern) => globSync(pattern))
  expect(files.length).toBeGreaterThan(300)
  const level = /\b(?:46[_,]?588|46[_,]?541|2[_,]?290|23[_,]?150|1085)\b/
  expect(files.filter((file) => level.test(code(file)))).toEqual([])
})

test('every place shows the one level', () => {
  expect(templateOf('curl').text).toContain(`"price":${EXAMPLE.index}`)
  expect(XQ_LINE).toContain(String(EXAMPLE.index))
  expect(MULTICHARTS_LINE).toContain(String(EXAMPLE.index))
  expect(SAMPLE_RECORDS[0]?.price).toBe(EXAMPLE.index)
  expect(['TXF', 'MXF', 'TMF'].map(exampleLevel)).toEqual(Array(3).fill(EXAMPLE.index))
})
