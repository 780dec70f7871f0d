/* The form of a strategy, new or old: its sections by kind, one submit; Enter sends it, the first wrong field gets the focus. */
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import type { StrategyKind } from '#trading/record.ts'
import { TextField } from '#ui/TextField.tsx'
import { AdvancedSection } from './AdvancedSection.tsx'
import { BasicSection } from './BasicSection.tsx'
import { MoneySection } from './MoneySection.tsx'
import { ProductSection } from './ProductSection.tsx'
import { Section } from './Section.tsx'
import { SymbolsSection } from './SymbolsSection.tsx'
import type { FormApi } from './use-form.ts'
import { XqSection } from './XqSection.tsx'

/** What stands between the common parts, by kind. */
const OWN: Record<StrategyKind, (form: FormApi) => ReactNode> = {
  futures: (form) => <ProductSection form={form} />,
  stock: (form) => <SymbolsSection form={form} />,
  'xq-stock': (form) => (
    <>
      <XqSection form={form} />
      <SymbolsSection form={form} />
    </>
  ),
}

/** `editing` an existing strategy. `children` the bar with the buttons. */
export type StrategyFormProps = {
  form: FormApi
  onSubmit: () => void
  editing?: boolean
  children: ReactNode
}

export function StrategyForm({ form, onSubmit, editing = false, children }: StrategyFormProps) {
  const box = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (form.failed === 0) return
    const wrong = box.current?.querySelector<HTMLElement>(
      '[aria-invalid=true], [data-invalid] input:checked, [role=alert]',
    )
    if (!wrong) return
    const fold = wrong.closest('details')
    if (fold) fold.open = true
    wrong.focus({ preventScroll: true })
    wrong.scrollIntoView({ block: 'center', behavior: 'instant' })
  }, [form.failed])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form ref={box} className="sf" onSubmit={submit} noValidate aria-label="策略">
      <BasicSection form={form} editing={editing} />
      {OWN[form.kind](form)}
      <MoneySection form={form} />
      <Section title="說明" about="看得到這個策略的人都能讀。">
        <TextField
          {...form.field('note')}
          label="策略說明"
          rows={6}
          maxLength={20_000}
          placeholder="進出場條件、參數、注意事項（選填）"
        />
      </Section>
      <AdvancedSection form={form} />
      {children}
    </form>
  )
}
