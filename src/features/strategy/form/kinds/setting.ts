// How a setting stands in the form: its words, and its value as it is typed (numbers are text, '' is none).

/** What the person reads. `unit` stands inside the box. */
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
