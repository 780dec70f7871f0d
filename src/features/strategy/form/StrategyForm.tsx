/* The form of a strategy, new or old: five sections, one submit; Enter sends it, the first wrong field gets the focus. */
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { TextField } from '#ui/TextField.tsx'
import { AdvancedSection } from './AdvancedSection.tsx'
import { BasicSection } from './BasicSection.tsx'
import { MoneySection } from './MoneySection.tsx'
import { ProductSection } from './ProductSection.tsx'
import { useLastPrice, useProducts } from './products.ts'
import { Section } from './Section.tsx'
import type { FormApi } from './use-form.ts'

/** `base` the strategy being edited. `children` the bar with the buttons. */
export type StrategyFormProps = {
  form: FormApi
  onSubmit: () => void
  base?: Strategy
  children: ReactNode
}

export function StrategyForm({ form, onSubmit, base, children }: StrategyFormProps) {
  const box = useRef<HTMLFormElement>(null)
  const products = useProducts()
  const code = form.values['settings.product_code']
  const last = useLastPrice(code)
  const futures = base === undefined || base.kind === 'futures'

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
      <BasicSection form={form} editing={base !== undefined} />
      {futures && <ProductSection form={form} products={products} />}
      <MoneySection
        form={form}
        product={products.find((one) => one.code === code)}
        futures={futures}
        last={last}
      />
      <Section title="說明" about="看得到這個策略的人都能讀。">
        <TextField
          {...form.field('note')}
          label="策略說明"
          rows={6}
          maxLength={20_000}
          placeholder="進出場條件、參數、注意事項（選填）"
        />
      </Section>
      <AdvancedSection form={form} futures={futures} />
      {children}
    </form>
  )
}
