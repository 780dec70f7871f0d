// The state of the strategy form: values as typed, which fields were left, what the server refused.
import { useMemo, useState } from 'react'
import type { StrategyDraft } from '#contract/strategy.ts'
import type { StrategyKind } from '#trading/record.ts'
import { byField, check, type FormErrors, type FormKey, type FormValues } from './values.ts'

/** What a text, number or select field needs, spread into it. */
export type BoundField<K extends FormKey> = {
  name: K
  value: FormValues[K]
  onChange: (value: FormValues[K]) => void
  onBlur: () => void
  error: string | undefined
}

/** `failed` counts the refused submits, so that the form can move the focus each time. */
export interface FormApi {
  kind: StrategyKind
  values: FormValues
  dirty: boolean
  failed: number
  /** Messages that belong to no field shown here. */
  rest: readonly string[]
  field: <K extends FormKey>(key: K) => BoundField<K>
  change: (changes: Partial<FormValues>) => void
  /** Gives the input when all fits; otherwise shows every message and gives null. */
  submit: () => StrategyDraft | null
  /** Takes the messages of a 4220 answer. */
  refuse: (fields: Record<string, string>) => void
  reset: (values: FormValues) => void
}

/** `start` what was there before the person typed; `first` what is shown at once (a restored draft). */
export function useStrategyForm(kind: StrategyKind, start: FormValues, first: FormValues = start): FormApi {
  const [values, setValues] = useState(first)
  const [left, setLeft] = useState<ReadonlySet<FormKey>>(new Set())
  const [all, setAll] = useState(false)
  const [refused, setRefused] = useState<{ fields: FormErrors; rest: string[] }>({ fields: {}, rest: [] })
  const [failed, setFailed] = useState(0)
  const checked = useMemo(() => check(values, kind), [values, kind])
  const dirty = useMemo(() => JSON.stringify(values) !== JSON.stringify(start), [values, start])

  const change = (changes: Partial<FormValues>) => {
    setValues((now) => ({ ...now, ...changes }))
    setRefused(({ fields }) => {
      const kept = { ...fields }
      for (const key of Object.keys(changes) as FormKey[]) delete kept[key]
      return { fields: kept, rest: [] }
    })
  }
  return {
    kind,
    values,
    dirty,
    failed,
    rest: refused.rest,
    change,
    field: (key) => ({
      name: key,
      value: values[key],
      onChange: (value) => change({ [key]: value } as Partial<FormValues>),
      onBlur: () => setLeft((now) => (now.has(key) ? now : new Set([...now, key]))),
      error: refused.fields[key] ?? (all || left.has(key) ? checked.fields[key] : undefined),
    }),
    submit() {
      setAll(true)
      if (checked.ok) return checked.input
      setFailed((count) => count + 1)
      return null
    },
    refuse(fields) {
      setRefused(byField(fields))
      setFailed((count) => count + 1)
    },
    reset(next) {
      setValues(next)
      setLeft(new Set())
      setAll(false)
      setRefused({ fields: {}, rest: [] })
    },
  }
}
