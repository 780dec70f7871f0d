// A value of the statistics as it is written, by what kind of value it is.
import { held, MASK, minus, number, percent, ratio, signed } from '#text/format.ts'

export type Metric = 'money' | 'loss' | 'fall' | 'signed' | 'percent' | 'ratio' | 'count' | 'minutes' | 'days'

/** True of amounts in NT$. */
export function isMoney(kind: Metric): boolean {
  return kind === 'money' || kind === 'signed' || kind === 'loss'
}

const WRITTEN = {
  money: number,
  loss: (value) => minus(number(value)),
  fall: (value) => (value === 0 ? '0%' : minus(percent(value))),
  signed,
  percent,
  ratio,
  count: number,
  minutes: held,
  days: number,
} satisfies Record<Metric, (value: number) => string>

/** What stands behind a value that goes into a figure. */
export const UNITS = {
  money: ' 元',
  loss: ' 元',
  fall: '',
  signed: ' 元',
  percent: '',
  ratio: '',
  count: ' 筆',
  minutes: '',
  days: '',
} satisfies Record<Metric, string>

/** A value as it is written; money masked in privacy mode. */
export function written(value: number | null, kind: Metric, masked: boolean): string {
  if (masked && isMoney(kind)) return MASK
  return value === null ? '—' : WRITTEN[kind](value)
}
