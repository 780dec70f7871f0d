/* 資金與成本: what the returns are measured by, and what every trade costs. */
import type { Product } from '#contract/market.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { NumberField } from '#ui/NumberField.tsx'
import { cx } from '#ui/open.ts'
import { TextField } from '#ui/TextField.tsx'
import { CostPreview } from './CostPreview.tsx'
import { Section } from './Section.tsx'
import type { FormApi } from './use-form.ts'

/** `futures` false (stocks) shows the capital only: their rates belong to their own form. `last` the newest known price. */
export type MoneySectionProps = {
  form: FormApi
  product: Product | undefined
  futures: boolean
  last: number | null
}

export function MoneySection({ form, product, futures, last }: MoneySectionProps) {
  const { field, values } = form
  const privacy = usePrivacy()
  return (
    <Section title="資金與成本" about="損益一律扣掉手續費、期交稅和滑價；改了會用新的數字重算。">
      <div className={cx(privacy.on && 'private')}>
        <NumberField
          {...field('initial_capital')}
          label="初始資金"
          unit="元"
          integer
          hint="報酬率和最大回撤用它當分母"
        />
      </div>
      {futures && (
        <>
          <div className="fs-two">
            <NumberField {...field('settings.fee_per_side')} label="手續費" unit="元／口／單邊" integer />
            <NumberField
              {...field('slippage_ticks')}
              label="滑價"
              unit="檔"
              integer
              step="1"
              min="0"
              max="20"
            />
          </div>
          <TextField
            label="期交稅率"
            value={product ? taxText(product.tax_rate) : ''}
            onChange={ignore}
            disabled
            hint="由商品決定，進出各收一次"
          />
          <CostPreview
            product={product}
            fee={values['settings.fee_per_side']}
            slippage={values.slippage_ticks}
            last={last}
          />
        </>
      )}
    </Section>
  )
}

/** 0.00002 → 0.00002（十萬分之二）; String() would give 2e-5. */
function taxText(rate: number): string {
  return rate === 0.00002 ? '0.00002（十萬分之二）' : rate.toFixed(6).replace(/0+$/, '')
}

/** A disabled field cannot change. */
function ignore() {}
