// A strategy written before one of its settings existed reads with what the setting starts with, and is otherwise as it was.
import { expect, test } from 'vitest'
import { settingsOf } from '#server/db/query.ts'

test('a setting that is not stored is what it starts with; one that is stored stays', () => {
  const stored = { symbols: ['2330'], unit: 'share', commission_rate: 0.001, min_fee: 1 }
  const { settings } = settingsOf({ kind: 'stock', settings: JSON.stringify(stored) })
  expect(settings).toMatchObject({ ...stored, odd_lot_min_fee: 1, allow_day_trade: false })
})

test('the same text means each kind its own; complete settings are written back as the same text', () => {
  expect(settingsOf({ kind: 'stock', settings: '{}' }).settings).toHaveProperty('unit', 'board_lot')
  expect(settingsOf({ kind: 'futures', settings: '{}' }).settings).not.toHaveProperty('unit')
  const text = '{"session":"day","contract_month":null,"contract_rule":"near","tax_rate":0.00002}'
  expect(JSON.stringify(settingsOf({ kind: 'futures', settings: text }).settings)).toBe(text)
})
