/* The form of a strategy, new or old: its sections by kind, one submit; Enter sends it, the first wrong field gets the focus. */
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import type { StrategyKind } from '#trading/record.ts'
import { NoteField } from '../note/NoteField.tsx'
import { AdvancedSection } from './AdvancedSection.tsx'
import { BasicSection } from './BasicSection.tsx'
import { MoneySection } from './MoneySection.tsx'
import { NotifySection } from './NotifySection.tsx'
import { ProductSection } from './ProductSection.tsx'
import { Section } from './Section.tsx'
import css from './StrategyForm.module.css'
import { SymbolsSection } from './SymbolsSection.tsx'
import type { FormApi } from './use-strategy-form.ts'
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

/** `strategy_id` of an existing strategy, empty for a new one; `usual` what its record says of its silences. `children` the bar with the buttons. */
export type StrategyFormProps = {
  form: FormApi
  onSubmit: () => void
  strategy_id?: string
  usual?: number | null | undefined
  children: ReactNode
}

export function StrategyForm({ form, onSubmit, strategy_id = '', usual, children }: StrategyFormProps) {
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
    <form ref={box} className={css.root} onSubmit={submit} noValidate aria-label="策略">
      <BasicSection form={form} editing={strategy_id !== ''} />
      {OWN[form.kind](form)}
      <MoneySection form={form} />
      <Section title="說明" about="看得到這個策略的人都能讀。">
        <NoteField {...form.field('note')} strategy_id={strategy_id} />
      </Section>
      <NotifySection form={form} />
      <AdvancedSection form={form} usual={usual} />
      {children}
    </form>
  )
}
