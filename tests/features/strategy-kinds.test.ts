// The forms of the three kinds, row by row of domain §7.3: what is offered, what is taken, what is refused and in which words.
import { describe, expect, it, test } from 'vitest'
import { ASSUMABLE } from '#contract/kinds/setting.ts'
import { createStrategy, STARTS, type Strategy, type StrategyDraft } from '#contract/strategy.ts'
import { shownStock, stockTrip } from '#features/strategy/form/Costs.tsx'
import { FIELDS, KIND_FORMS, type SettingName } from '#features/strategy/form/kinds.ts'
import { codesOf, inUnit, isCode, withCodes } from '#features/strategy/form/SymbolsField.tsx'
import {
  changesOf,
  check,
  type FormValues,
  freshOf,
  valuesOf,
} from '#features/strategy/form/use-strategy-form.ts'
import { copyName } from '#text/strategy.ts'
import { EXAMPLE } from '#trading/examples.ts'
import { KINDS } from '#trading/kinds.ts'
import { builtIn } from '#trading/listings.ts'
import { STOCK_NAMES } from '#trading/products.ts'
import { STRATEGY_KINDS, type StrategyKind } from '#trading/record.ts'
import { termsOf } from '#trading/terms.ts'
import { SETTINGS_BOUNDS } from '../fixtures/bounds-settings.ts'
import { codes, ROWS } from '../fixtures/strategy-rows.ts'
import { files } from '../support/sources.ts'

const NAMED: Record<StrategyKind, Partial<FormValues>> = {
  futures: { name: '台指突破' },
  stock: { name: '存股' },
  'xq-stock': { name: '雷達', 'settings.xq_script_name': '突破季線' },
}
const filled = (kind: StrategyKind, changes: Partial<FormValues> = {}): FormValues => ({
  ...freshOf(kind),
  ...NAMED[kind],
  ...changes,
})
// as one of which everything was said: then nothing may be left empty that has to be there
const wrong = (kind: StrategyKind, changes: Partial<FormValues>) =>
  check(filled(kind, { assumed: [], initial_capital: '500000', ...changes }), kind).fields

function draftOf(kind: StrategyKind, changes: Partial<FormValues> = {}): StrategyDraft {
  const checked = check(filled(kind, changes), kind)
  if (!checked.ok) throw new Error(JSON.stringify(checked.fields))
  return checked.input
}

describe('domain §7.3, row by row', () => {
  const cases = ROWS.flatMap(([row, kinds, key, taken, refused, more = {}]) =>
    kinds.map((kind) => ({ row, kind, key, taken, refused, more })),
  )
  // domain §7.3: name
  // domain §7.3: description
  // domain §7.3: note
  // domain §7.3: tags
  // domain §7.3: direction
  // domain §7.3: tradeStyle
  // domain §7.3: timeframe
  // domain §7.3: initialCapital
  // domain §7.3: quantityMode
  // domain §7.3: defaultQuantity
  // domain §7.3: maxPosition
  // domain §7.3: allowPyramiding
  // domain §7.3: slippageTicks
  // domain §7.3: stopLoss
  // domain §7.3: takeProfit
  // domain §7.3: notifyEnabled
  // domain §7.3: status
  // domain §7.3: productCode
  // domain §7.3: contractMode
  // domain §7.3: contractMonth
  // domain §7.3: session
  // domain §7.3: feePerSide
  // domain §7.3: acceptSymbolMismatch
  // domain §7.3: symbols
  // domain §7.3: unit
  // domain §7.3: feeDiscount
  // domain §7.3: minFee
  // domain §7.3: oddLotMinFee
  // domain §7.3: allowDayTrade
  // domain §7.3: xqStrategyName
  // domain §7.3: scriptType
  // domain §7.3: importMode
  // domain §7.3: fileEncoding
  // domain §7.3: defaultAction
  // domain §7.3: dedupePerDay
  test.each(cases)('$row ($kind)', ({ kind, key, taken, refused, more }) => {
    for (const value of taken) expect(wrong(kind, { ...more, [key]: value }), String(value)).toEqual({})
    for (const [value, words] of refused)
      expect(wrong(kind, { ...more, [key]: value })[key], String(value)).toContain(words)
  })

  it('has every setting of its kind in the form, and none of another', () => {
    for (const kind of STRATEGY_KINDS) {
      const { settings } = draftOf(kind)
      expect([...KIND_FORMS[kind].settings].sort()).toEqual(Object.keys(settings).sort())
    }
  })
})

describe('a setting that is added', () => {
  // Set where a file is imported, beside its columns.
  const UNDRAWN = ['csv_mapping']
  const all = STRATEGY_KINDS.flatMap((kind) => KIND_FORMS[kind].settings.map((name) => ({ kind, name })))

  it('stands in a section of the form: <SettingField name="…" />, or a control of its own', () => {
    const drawn = files
      .filter(({ path }) => /^src\/features\/strategy\/form\/[^/]+\.tsx$/.test(path))
      .map(({ text }) => text)
      .join('')
    const missing = (Object.keys(FIELDS) as SettingName[]).filter(
      (name) => !new RegExp(`<SettingField[^>]* name="${name}"|field\\(.settings\\.${name}.\\)`).test(drawn),
    )
    expect(missing).toEqual(UNDRAWN)
  })
  it('is tried at its bounds, in the form (strategy-rows.ts) and at the server (bounds-settings.ts)', () => {
    const inRows = (kind: StrategyKind, name: string) =>
      ROWS.some(([, kinds, key]) => kinds.includes(kind) && key === `settings.${name}`)
    const inBounds = (kind: StrategyKind, name: string) =>
      SETTINGS_BOUNDS.some(([kinds, path]) => kinds.includes(kind) && path === `settings.${name}`)
    const untried = all.flatMap(({ kind, name }) => [
      ...(UNDRAWN.includes(name) || inRows(kind, name)
        ? []
        : [`${kind} ${name}: a row in tests/fixtures/strategy-rows.ts`]),
      ...(inBounds(kind, name) ? [] : [`${kind} ${name}: a row in tests/fixtures/bounds-settings.ts`]),
    ])
    expect(untried).toEqual([])
  })
  it('is what it starts with in a strategy that this device kept from before', () => {
    const { allow_day_trade: _later, ...settings } = draftOf('stock').settings as Record<string, unknown>
    const kept = {
      ...draftOf('stock'),
      settings,
      summary_text: '',
      my_notify: { enabled: true, channels: null },
    }
    expect(valuesOf(kept as unknown as Strategy)['settings.allow_day_trade']).toBe(false)
  })
  it.each(STRATEGY_KINDS)('%s: folds with what it starts with, where it was kept from before', (kind) => {
    const whole = draftOf(kind)
    const folded = (settings: object) =>
      termsOf({ ...whole, kind, settings } as Parameters<typeof termsOf>[0])
    const kept = Object.entries(whole.settings).filter(([name]) => !(name in STARTS[kind]))
    expect(folded(Object.fromEntries(kept))).toEqual(folded(whole.settings))
  })
})

describe('a new strategy of each kind', () => {
  const NEEDED = {
    futures: { product_code: 'MXF', fee_per_side: 25 },
    stock: {},
    'xq-stock': { xq_script_name: '突破季線', dedupe_per_day: true },
  }
  it.each(STRATEGY_KINDS)('%s: what the form starts with are the contract’s own defaults', (kind) => {
    const assumed = [...ASSUMABLE]
    const bare = { kind, name: NAMED[kind].name, assumed, settings: NEEDED[kind] }
    expect(draftOf(kind)).toEqual(createStrategy.input.parse(bare))
    expect(draftOf(kind)).toMatchObject({
      direction: KINDS[kind].direction,
      initial_capital: KINDS[kind].initial_capital,
    })
  })

  it.each(STRATEGY_KINDS)('%s: stored and opened again nothing has changed', (kind) => {
    const draft = draftOf(kind, { 'settings.commission_rate': '0.0855', 'settings.symbols': ['2330'] })
    const stored = {
      ...draft,
      summary_text: draft.summary,
      my_notify: { enabled: true, channels: null },
    } as unknown as Strategy
    const again = check(valuesOf(stored), kind)
    expect(again.ok && changesOf(draft, again.input)).toEqual({})
  })

  it('moves the point of a rate in its text: no rate is off by a binary digit', () => {
    const { commission_rate: rate } = FIELDS
    for (const typed of ['0.1425', '0.0399', '0.07', '0.29', '0.58', '1'])
      expect(rate.typed(rate.input(typed)), typed).toBe(typed)
    expect(rate.input('0.1425')).toBe(0.001425)
    expect(rate.input('0.07')).toBe(0.0007)
  })

  it('sends the changed settings of a stock strategy only', () => {
    const changes = { 'settings.commission_discount': '0.28', 'settings.symbols': ['2330', '00878'] }
    expect(changesOf(draftOf('stock'), draftOf('stock', changes))).toEqual({
      settings: { commission_discount: 0.28, symbols: ['2330', '00878'] },
    })
  })

  it('every setting has a label', () => {
    for (const name of Object.keys(FIELDS) as SettingName[]) expect(FIELDS[name].label, name).not.toBe('')
  })
})

describe('the cost of buying and selling once', () => {
  const at = (changes: Partial<FormValues> = {}, symbols = ['2330'], last: number | null = null) =>
    stockTrip(
      filled('stock', changes),
      shownStock(symbols, () => last),
      '2026-11-20',
    )

  it('is fee on both sides, tax on selling, of one 張 at the example level', () => {
    // 2,290,000 × 0.001425 × 0.6 = 1,957.95 twice, × 0.003 = 6,870
    expect(at()).toMatchObject({
      symbol: '2330',
      price: EXAMPLE.tsmc,
      example: true,
      shares: 1000,
      fee_entry: '1957',
      fee_exit: '1957',
      tax: '6870',
      cost: '10784',
      rate: '0.47',
      day_tax: null,
    })
  })
  // domain §3.4: fee with discount and minimum, of board lots and of odd lots
  it('counts shares as an odd lot with its own minimum', () => {
    expect(at({ 'settings.unit': 'share' }, ['2330'], 10)).toMatchObject({
      shares: 100,
      fee_entry: '1',
      tax: '3',
      example: false,
    })
  })
  it('halves the tax of a day trade, of a fund there is no such half', () => {
    expect(at({ 'settings.allow_day_trade': true })).toMatchObject({ tax: '6870', day_tax: '3435' })
    expect(at({ 'settings.allow_day_trade': true }, ['0050'], 60)).toMatchObject({ tax: '60', day_tax: null })
  })
  it('adds the slippage of both sides by the tick of the price', () => {
    expect(at({ slippage_ticks: '1' })).toMatchObject({ cost: '20784' })
  })
  it('is silent while a field does not fit', () => {
    expect(at({ 'settings.commission_discount': '2' })).toBeNull()
    expect(at({ 'settings.min_fee': '' })).toBeNull()
    expect(at({ slippage_ticks: 'x' })).toBeNull()
  })
  it('is shown with a stock of the strategy, else with the best known one', () => {
    expect(shownStock(['6488', '2603'], () => null)).toMatchObject({ symbol: '2603', example: true })
    expect(shownStock(['6488'], () => null)).toMatchObject({ symbol: '2330', example: true })
    expect(shownStock(['6488'], () => 500)).toMatchObject({ symbol: '6488', price: 500, example: false })
  })
})

describe('the name of a copy', () => {
  it('says that it is one, and never gets too long for a name', () => {
    expect(copyName('台指當沖')).toBe('台指當沖 複本')
    expect(copyName('長'.repeat(60))).toBe(`${'長'.repeat(57)} 複本`)
    expect(copyName('🚀'.repeat(30))).toBe(`${'🚀'.repeat(28)} 複本`)
  })
})

describe('張 and 股', () => {
  // domain §3.2: 1 張 = 1,000 股, odd lots 1–999 股
  it('the same amount in the other unit, never less than one; what is no number stays', () => {
    expect([inUnit('10', 'share'), inUnit('1', 'share')]).toEqual(['10000', '1000'])
    expect([inUnit('10000', 'board_lot'), inUnit('1500', 'board_lot'), inUnit('1', 'board_lot')]).toEqual([
      '10',
      '2',
      '1',
    ])
    expect(inUnit('十', 'share')).toBe('十')
  })
})

describe('the search for stocks', () => {
  const found = (typed: string) =>
    builtIn()
      .search(typed, 8)
      .map(({ symbol }) => symbol)

  it('finds by code, by name and by a part of the name, the nearest first', () => {
    expect(found('2330')[0]).toBe('2330')
    expect(found('台積')).toContain('2330')
    expect(found('００５０')[0]).toBe('0050')
    expect(found('00631l')[0]).toBe('00631L')
    expect(found('環球晶')).toEqual(['6488'])
    expect(found('臺灣50')).toEqual(found('台灣50'))
    expect(found('')).toEqual([])
    expect(found('沒有這一檔')).toEqual([])
  })
  it('has every code once, in a form that the contract takes, and the names shown elsewhere', () => {
    const { all, find } = builtIn()
    expect(all.length).toBeGreaterThan(2_300)
    expect(new Set(all.map(({ symbol }) => symbol)).size).toBe(all.length)
    expect(all.filter(({ symbol, name }) => !isCode(symbol) || name === '')).toEqual([])
    const other = Object.entries(STOCK_NAMES).filter(([symbol, name]) => find(symbol)?.name !== name)
    // 國巨* says that its shares have another par value.
    expect(other).toEqual([['2327', '國巨']])
  })
  it('takes several codes at once, each once, and says what found no room', () => {
    expect(codesOf('2330, 2317　00878.TW TWSE:0050')).toEqual(['2330', '2317', '00878', '0050'])
    expect(codesOf('2330 台積電')).toBeNull()
    expect(withCodes(['2330'], ['2330', '2317'])).toEqual({ symbols: ['2330', '2317'], left: 0 })
    expect(withCodes(codes(199), ['2000', '2001', '2002'])).toMatchObject({ left: 2 })
  })
})
