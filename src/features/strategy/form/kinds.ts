// How a setting stands in the form: its words, and its value as it is typed (numbers are text, '' is none).

/** What the person reads. `unit` stands inside the box. */
import { FUTURES_SETTINGS } from '#contract/kinds/futures.ts'
import type { WritableName } from '#contract/kinds/setting.ts'
import { STOCK_SETTINGS, SYMBOLS_MOST } from '#contract/kinds/stock.ts'
import { firesOnce, type ScriptType, XQ_SETTINGS } from '#contract/kinds/xq-stock.ts'
import { HOURS_TEXT } from '#text/strategy.ts'
import { ASSET_FACTS, UNIT_FACTS } from '#trading/kinds.ts'
import { findProduct } from '#trading/products.ts'
import type { ContractRule, StrategyKind } from '#trading/record.ts'

export interface SettingWords {
  label: string
  hint?: string
  unit?: string
  placeholder?: string
}

/** `control` null: the section of its kind draws it. Methods, so that a table of all settings can hold each of them. */
export interface FormSetting<Value, Typed> extends SettingWords {
  control: 'number' | 'text' | 'choice' | 'select' | 'switch' | null
  options: readonly { value: string; label: string }[]
  integer: boolean
  start: Typed
  typed(value: Value): Typed
  input(typed: Typed): Value
}

/** Whatever its value is: what each line of a kind's table is at least. */
export type AnySetting = Pick<FormSetting<unknown, unknown>, 'label' | 'control'>

/** Typed text as a number; NaN when it is none, so that an empty field is refused instead of getting a default. */
export function numberOf(text: string): number {
  return /^-?(\d+\.?\d*|\.\d+)$/.test(text.trim()) ? Number(text) : Number.NaN
}

const plain = { options: [], integer: false } as const
const same = <Value>(value: Value): Value => value

/** Kept as it is, drawn by its section. */
export const held = <Value>(start: Value, words: SettingWords): FormSetting<Value, Value> => ({
  ...words,
  ...plain,
  control: null,
  start,
  typed: same,
  input: same,
})

/** A text that may be none. */
export const optional = (words: SettingWords): FormSetting<string | null, string> => ({
  ...words,
  ...plain,
  control: null,
  start: '',
  typed: (value) => value ?? '',
  input: (typed) => typed || null,
})

export const written = (words: SettingWords): FormSetting<string, string> => ({
  ...held('', words),
  control: 'text',
})

export const onOff = (start: boolean, words: SettingWords): FormSetting<boolean, boolean> => ({
  ...held(start, words),
  control: 'switch',
})

/** One of few, as segments; `select` as a list. */
export const oneOf = <Value extends string>(
  start: Value,
  names: Record<Value, string>,
  words: SettingWords,
  control: 'choice' | 'select' = 'choice',
): Omit<FormSetting<Value, Value>, 'options'> & { options: readonly { value: Value; label: string }[] } => ({
  ...held(start, words),
  control,
  options: (Object.keys(names) as Value[]).map((value) => ({ value, label: names[value] })),
})

export const figure = (
  start: number | null,
  words: SettingWords & { whole?: boolean },
): FormSetting<number, string> => ({
  ...words,
  ...plain,
  integer: words.whole ?? false,
  control: 'number',
  start: start === null ? '' : String(start),
  typed: String,
  input: numberOf,
})

/** A rate, typed in percent; the decimal point is moved in the text, so that 0.1425 % is 0.001425 to the letter. */
export const percentage = (start: number, words: SettingWords): FormSetting<number, string> => {
  const typed = (rate: number) => String(Number((rate * 100).toFixed(6)))
  return {
    ...words,
    ...plain,
    unit: '%',
    control: 'number',
    start: typed(start),
    typed,
    input: (text) => (Number.isNaN(numberOf(text)) ? Number.NaN : Number(`${Number(text)}e-2`)),
  }
}

// The settings of a futures strategy in the form: a new one is 小台 of the near month.

const FIRST = 'MXF'

export const FUTURES_FIELDS = {
  product_code: held(FIRST, { label: '商品', placeholder: '請選商品' }),
  contract_rule: oneOf<ContractRule>(
    FUTURES_SETTINGS.contract_rule.default,
    { near: '近月連續', next: '次月連續', month: '指定月份' },
    { label: '合約' },
  ),
  contract_month: optional({ label: '合約月份', placeholder: '請選月份' }),
  session: oneOf<'day' | 'day_night'>(FUTURES_SETTINGS.session.default, HOURS_TEXT, { label: '交易時段' }),
  fee_per_side: figure(findProduct(FIRST)?.default_fee ?? null, {
    label: '手續費',
    unit: '元／口／單邊',
    whole: true,
  }),
} satisfies Record<WritableName<typeof FUTURES_SETTINGS>, AnySetting>

// The settings of a stock strategy in the form.

const NONE: readonly string[] = STOCK_SETTINGS.symbols.default

export const STOCK_FIELDS = {
  symbols: held<string[]>([...NONE], {
    label: '股票代號',
    hint: `最多 ${SYMBOLS_MOST} 檔；不選就接受任何代號`,
  }),
  unit: oneOf<'board_lot' | 'share'>(
    STOCK_SETTINGS.unit.default,
    { board_lot: UNIT_FACTS.board_lot.word, share: UNIT_FACTS.share.word },
    { label: '數量單位', hint: '訊號裡沒寫單位的數字用它；1 張是 1,000 股' },
  ),
  commission_rate: percentage(STOCK_SETTINGS.commission_rate.default, {
    label: '手續費率',
    hint: '公定 0.1425%',
  }),
  commission_discount: figure(STOCK_SETTINGS.commission_discount.default, {
    label: '手續費折扣',
    hint: '2.8 折請填 0.28；沒有折扣填 1',
  }),
  min_fee: figure(STOCK_SETTINGS.min_fee.default, {
    label: '最低手續費',
    unit: '元',
    hint: '每一筆 1 張以上',
    whole: true,
  }),
  odd_lot_min_fee: figure(STOCK_SETTINGS.odd_lot_min_fee.default, {
    label: '零股最低手續費',
    unit: '元',
    hint: '每一筆未滿 1 張',
    whole: true,
  }),
  allow_day_trade: onOff(STOCK_SETTINGS.allow_day_trade.default, {
    label: '現股當沖',
    hint: '同一天買進又賣出的證交稅減半；也才能先賣後買',
  }),
} satisfies Record<WritableName<typeof STOCK_SETTINGS>, AnySetting>

// The settings of an XQ strategy in the form: those of a stock strategy, and what is said about the script.

export const XQ_FIELDS = {
  ...STOCK_FIELDS,
  xq_script_name: written({
    label: 'XQ 策略名稱',
    placeholder: '例如：突破季線',
    hint: '和 XQ 裡的名稱一樣，方便對照；留空就用策略名稱',
  }),
  script_type: oneOf<ScriptType>(
    XQ_SETTINGS.script_type.default,
    { sensor: '警示', filter: '選股', autotrade: '自動交易' },
    { label: '腳本類型' },
  ),
  data_source: oneOf<'webhook' | 'csv' | 'both'>(
    XQ_SETTINGS.data_source.default,
    { webhook: '橋接 Webhook', csv: '檔案匯入', both: '兩者' },
    { label: '資料來源' },
  ),
  file_encoding: oneOf<'auto' | 'utf-8' | 'big5'>(
    XQ_SETTINGS.file_encoding.default,
    { auto: '自動', 'utf-8': 'UTF-8', big5: 'Big5' },
    { label: '檔案編碼', hint: 'XQ 輸出的檔案多半是 Big5；自動會先試 UTF-8，匯入時也能改' },
  ),
  default_action: oneOf<'entry' | 'exit' | 'by_content'>(
    XQ_SETTINGS.default_action.default,
    { entry: '進場', exit: '出場', by_content: '依內容' },
    { label: '觸發視為' },
  ),
  dedupe_per_day: onOff(firesOnce(XQ_SETTINGS.script_type.default), {
    label: '同一代號每日只取第一筆',
    hint: '同一天、同一代號、同樣的動作，只有第一則成為訊號；後面的照樣記在最近接收紀錄。每個 Webhook 分開算。',
  }),
  csv_mapping: held<Record<string, string> | null>(XQ_SETTINGS.csv_mapping.default, { label: '欄位對應' }),
} satisfies Record<WritableName<typeof XQ_SETTINGS>, AnySetting>

// The form of each kind: its settings with their words, and what its page and sections say.

/** All settings by name; no two kinds mean something else by the same one. */
export const FIELDS = { ...FUTURES_FIELDS, ...XQ_FIELDS }
export type SettingName = keyof typeof FIELDS

export interface KindForm {
  path: string
  title: string
  /** A name as somebody would give it. */
  example: string
  settings: readonly SettingName[]
  traded: { title: string; about: string }
  /** Under 數量來源: what holds when the signal decides, and when it does not. */
  amounts: { signal: string; fixed: string }
}

const names = <T extends object>(fields: T) => Object.keys(fields) as (keyof T & SettingName)[]
const SHARES = {
  signal: '照訊號寫的張數或股數；沒寫時用預設數量。',
  fixed: '不管訊號寫多少，一律用預設數量。',
}

export const KIND_FORMS: Record<StrategyKind, KindForm> = {
  futures: {
    path: '/strategies/create/futures',
    title: '新增期貨策略',
    example: '台指當沖突破',
    settings: names(FUTURES_FIELDS),
    traded: { title: ASSET_FACTS.futures.chosen, about: '只收這個商品的訊號。' },
    amounts: {
      signal: '照訊號寫的口數；沒寫時用預設數量。',
      fixed: '不管訊號寫幾口，一律用預設數量。',
    },
  },
  stock: {
    path: '/strategies/create/stock',
    title: '新增股票策略',
    example: '權值股波段',
    settings: names(STOCK_FIELDS),
    traded: { title: ASSET_FACTS.stock.chosen, about: '訊號的代號要在這裡面；不在的預設拒絕。' },
    amounts: SHARES,
  },
  'xq-stock': {
    path: '/strategies/create/xq-stock',
    title: '新增 XQ 股票策略',
    example: '季線突破雷達',
    settings: names(XQ_FIELDS),
    traded: { title: ASSET_FACTS.stock.chosen, about: '訊號的代號要在這裡面；不在的預設拒絕。' },
    amounts: SHARES,
  },
}
