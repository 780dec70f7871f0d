// The strategy form says what the server says, sends only what changed, and keeps a draft only for its owner.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { createStrategy, type Strategy, type StrategyDraft } from '#contract/strategy.ts'
import { roundTrip } from '#features/strategy/form/Costs.tsx'
import { AdvancedSection } from '#features/strategy/form/Fields.tsx'
import {
  byField,
  changesOf,
  check,
  type FormValues,
  freshOf,
  inputOf,
  keyOf,
  restored,
  useStrategyForm,
  valuesOf,
} from '#features/strategy/form/use-strategy-form.ts'
import { dropDraft, keepDraft, readDraft } from '#state/draft.ts'
import { EXAMPLE } from '#trading/examples.ts'
import { findProduct, PRODUCTS } from '#trading/products.ts'

const FRESH = freshOf('futures')
const named: FormValues = { ...FRESH, name: '台指當沖突破' }
const fieldsOf = (changes: Partial<FormValues>) => check({ ...named, ...changes }, 'futures').fields

function draftOf(changes: Partial<FormValues> = {}): StrategyDraft {
  const checked = check({ ...named, ...changes }, 'futures')
  if (!checked.ok) throw new Error(JSON.stringify(checked.fields))
  return checked.input
}

function storage() {
  const held = new Map<string, string>()
  return {
    held,
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  }
}

describe('what the form holds, as the contract takes it', () => {
  it('accepts the defaults with a name, and they are the contract’s own defaults', () => {
    const input = draftOf()
    const bare = createStrategy.input.parse({
      kind: 'futures',
      name: '台指當沖突破',
      assumed: ['direction', 'initial_capital'],
      settings: { product_code: 'MXF', fee_per_side: 25 },
    })
    expect(input).toEqual(bare)
  })

  it('leaves open what nobody has said, and closes it with what is written', () => {
    expect(draftOf({ direction: 'both' })).toMatchObject({ direction: 'both', assumed: ['initial_capital'] })
    expect(draftOf({ initial_capital: '800000' })).toMatchObject({
      initial_capital: 800_000,
      assumed: ['direction'],
    })
    // said once, it may not be taken back to nothing
    expect(draftOf({ assumed: ['direction'], initial_capital: '1' }).assumed).toEqual(['direction'])
  })

  it.each([
    ['name', { name: '  ' }, '請輸入策略名稱'],
    ['name', { name: '長'.repeat(61) }, '最多 60 個字'],
    ['initial_capital', { initial_capital: '0' }, '最少 1 元'],
    ['initial_capital', { assumed: [], initial_capital: '' }, '請輸入數字'],
    ['initial_capital', { initial_capital: '1.5' }, '請輸入整數'],
    ['settings.fee_per_side', { 'settings.fee_per_side': '' }, '請輸入數字'],
    ['settings.fee_per_side', { 'settings.fee_per_side': '1001' }, '最多 1,000 元'],
    ['stop_loss.value', { 'stop_loss.value': 'abc' }, '請輸入數字'],
    ['tags', { tags: ['一', '一'] }, '標籤不能重複'],
    ['max_position', { default_quantity: '5', max_position: '4' }, '不能小於預設數量'],
    ['settings.session', { 'settings.product_code': 'FXF' }, '金融期只有日盤'],
    ['settings.contract_month', { 'settings.contract_rule': 'month' as const }, '指定月份時必填'],
    ['settings.product_code', { 'settings.product_code': 'ZZZ' }, '沒有這個商品，請從清單選擇'],
  ])('%s: %o', (key, changes, message) => {
    expect(fieldsOf(changes)).toEqual({ [key]: message })
  })

  it('says nothing about a month that the rule does not use', () => {
    expect(inputOf({ ...named, 'settings.contract_month': '202612' }, 'futures')).toMatchObject({
      settings: { contract_rule: 'near', contract_month: null },
    })
  })

  it('takes an empty exit level as none and a filled one with its unit', () => {
    expect(draftOf().stop_loss).toBeNull()
    expect(draftOf({ 'stop_loss.value': '30.5', 'stop_loss.unit': 'percent' }).stop_loss).toEqual({
      value: 30.5,
      unit: 'percent',
    })
  })
})

describe('messages of the server find their field', () => {
  it('by the longest path that the form shows', () => {
    expect(keyOf('tags.3')).toBe('tags')
    expect(keyOf('stop_loss')).toBe('stop_loss.value')
    expect(keyOf('settings.contract_month')).toBe('settings.contract_month')
    expect(keyOf('whatever')).toBeNull()
  })

  it('and what no field shows is not lost', () => {
    expect(byField({ name: '這個名稱已經用過', whatever: '別的' })).toEqual({
      fields: { name: '這個名稱已經用過' },
      rest: ['別的'],
    })
  })
})

describe('what is sent when editing', () => {
  it('is nothing when nothing changed', () => {
    expect(changesOf(draftOf(), draftOf())).toEqual({})
  })

  it('is the changed fields, settings key by key', () => {
    const after = draftOf({ summary: '新的', tags: ['波段'], 'settings.fee_per_side': '30' })
    expect(changesOf(draftOf(), after)).toEqual({
      summary: '新的',
      tags: ['波段'],
      settings: { fee_per_side: 30 },
    })
  })

  it('leaves alone what the form of a kind does not show', () => {
    const csv_mapping = { date: '日期' }
    const { settings } = createStrategy.input.parse({
      kind: 'xq-stock',
      name: '雷達',
      settings: { xq_script_name: '突破', csv_mapping },
    })
    const stored = {
      ...draftOf(),
      kind: 'xq-stock',
      settings,
      summary_text: '',
      my_notify: { enabled: true, channels: null },
    } as unknown as Strategy
    expect(inputOf(valuesOf(stored), 'xq-stock').settings).toMatchObject({ csv_mapping })
  })
})

describe('the cost of one round trip', () => {
  const product = (code: string) => {
    const found = findProduct(code)
    if (!found) throw new Error(code)
    return { ...found, sessions: [...found.sessions], contract_months: [] }
  }

  // domain §7.3: cost line: MTX at 46,500, fee 25 is 144 元 ≈ 2.9 點
  it('is the golden case of domain §7.3: 144 元 ≈ 2.9 點', () => {
    expect(roundTrip(product('MXF'), '25', '0', null)).toEqual({
      price: EXAMPLE.index,
      example: true,
      cost: '144',
      points: '2.9',
    })
  })

  it('uses the newest known price and counts the slippage on both sides', () => {
    expect(roundTrip(product('TXF'), '50', '2', 22_500)).toMatchObject({
      example: false,
      cost: '1080',
      points: '5.4',
    })
  })

  it('is silent while a field does not fit', () => {
    expect(roundTrip(product('MXF'), '', '0', 46_500)).toBeNull()
    expect(roundTrip(product('MXF'), '25', 'x', 46_500)).toBeNull()
  })

  it('does not fail on any product', () => {
    for (const { code } of PRODUCTS) expect(() => roundTrip(product(code), '50', '1', 100)).not.toThrow()
  })
})

describe('the draft', () => {
  const owner = { uid: 'u1', ctx: 'personal', kind: 'futures' }

  // domain §7.3: draft on the device, guard, inline errors
  it('comes back to its owner in the same identity only', () => {
    const place = storage()
    keepDraft(place, owner, '2026-11-20T01:00:00.000Z', named)
    expect(readDraft(place, owner)?.values).toEqual(named)
    expect(readDraft(place, { ...owner, uid: 'u2' })).toBeNull()
    expect(readDraft(place, { ...owner, ctx: 'org:1' })).toBeNull()
    dropDraft(place, owner)
    expect(place.held.size).toBe(0)
  })

  it('is one of each kind, and that of one form is not lost in another', () => {
    const place = storage()
    const stock = { ...owner, kind: 'stock' }
    keepDraft(place, owner, '2026-11-20T01:00:00.000Z', named)
    keepDraft(place, stock, '2026-11-20T01:01:00.000Z', { name: '存股' })
    expect(readDraft(place, owner)?.values).toEqual(named)
    expect(readDraft(place, stock)?.values).toEqual({ name: '存股' })
    dropDraft(place, owner)
    expect(readDraft(place, owner)).toBeNull()
    expect(readDraft(place, stock)?.values).toEqual({ name: '存股' })
  })

  it('that was kept while there was one form only is of a futures strategy', () => {
    const place = storage()
    const { uid, ctx } = owner
    place.setItem(
      'lingbo_strategy_draft',
      JSON.stringify({ uid, ctx, at: '2026-11-20T01:00:00.000Z', values: named }),
    )
    expect(readDraft(place, owner)?.values).toEqual(named)
    expect(readDraft(place, { ...owner, kind: 'stock' })).toBeNull()
  })

  it('that is damaged is as if it were missing', () => {
    const place = storage()
    keepDraft(place, owner, '2026-11-20T01:00:00.000Z', named)
    const [key] = [...place.held.keys()]
    place.setItem(key as string, '{"uid":"u1"')
    expect(readDraft(place, owner)).toBeNull()
  })

  it('brings back only fields that fit the form of today', () => {
    expect(restored({ ...named, initial_capital: 5, gone: 'x', tags: [1] }, 'futures')).toEqual(named)
    // one kept from before 響・安靜收下・關 said on or off
    expect(restored({ ...named, notify: false }, 'futures')).toEqual({ ...named, notify: 'off' })
    expect(restored(FRESH, 'futures')).toBeNull()
    expect(restored('nonsense', 'futures')).toBeNull()
  })
})

describe('what the form offers', () => {
  const drawn = (over: Partial<FormValues>, usual?: number | null) => {
    const values = { ...named, ...over }
    const Section = () => createElement(AdvancedSection, { form: useStrategyForm('futures', values), usual })
    return renderToStaticMarkup(createElement(Section))
  }
  it('太久沒收到訊號時提醒我: off at first; on, it asks for minutes, which may be left empty', () => {
    expect(drawn({})).toContain('太久沒收到訊號時提醒我')
    expect(drawn({})).not.toContain('超過多久')
    const on = { ...named, 'silence_alarm.enabled': true }
    expect(drawn(on)).toContain('超過多久')
    expect(inputOf(on, 'futures')).toMatchObject({ silence_alarm: { enabled: true, max_gap_minutes: null } })
    expect(drawn(on)).toContain('收到的訊號還不夠多時，不會提醒')
    expect(drawn(on, null)).toContain('現在留空不會提醒')
    expect(drawn(on, 1_096)).toContain('超過 1,096 分鐘才提醒')
    const set = { ...on, 'silence_alarm.max_gap_minutes': '30' }
    expect(inputOf(set, 'futures')).toMatchObject({ silence_alarm: { enabled: true, max_gap_minutes: 30 } })
    const none = { 'silence_alarm.enabled': true, 'silence_alarm.max_gap_minutes': '0' }
    expect(fieldsOf(none)['silence_alarm.max_gap_minutes']).toBe('最少 1 分鐘')
  })
})
