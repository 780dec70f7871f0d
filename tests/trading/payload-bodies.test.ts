// Bodies A–O become what domain §4.6 says; the template offered is the body recommended.
import { expect, test } from 'vitest'
import { readPayload } from '#trading/payload/read.ts'
import { MESSAGE_TEMPLATES } from '#trading/payload/templates.ts'
import { inputOf, webhookFixtures } from './fixtures.ts'
import { MXF, signal } from './payload.ts'

const fixtures = webhookFixtures()
test('all fifteen letters have a fixture', () => {
  const letters = new Set(fixtures.map((f) => f.path.split('/')[1]?.[0]))
  expect([...letters].sort().join('')).toBe('abcdefghijklmno')
})
test.each(fixtures.map((f) => [f.title, f] as const))('%s', (_, fixture) => {
  const out = readPayload(inputOf(fixture))
  const { signal: wanted, extras, ...rest } = fixture.expect
  expect(out).toMatchObject(rest)
  if (wanted) expect(out).toMatchObject({ signal: wanted })
  if (extras) expect(out).toMatchObject({ normal: { extras } })
})
test('F never stores the account', () => {
  const out = signal(inputOf(fixtures.find((f) => f.path.endsWith('f-touchance'))!).body, {
    strategy: { ...MXF, product_code: 'TMF' },
  })
  expect(JSON.stringify(out)).not.toContain('F2000')
  expect(out.body_without_secret).toContain('sym=TC.F.TWF.TMF.HOT')
})
test('the recommended template is body B', () => {
  const text = MESSAGE_TEMPLATES.find((t) => t.id === 'tradingview_strategy')?.text ?? ''
  const keys = Object.keys(JSON.parse(text) as object)
  const b = JSON.parse(fixtures.find((f) => f.path.endsWith('b-strategy'))!.body) as object
  expect(keys).toEqual(Object.keys(b))
})
