/* What a futures trade costs: fee and slippage to set, the tax of the product to read, and an example of both. */

import { TextField } from '#ui/TextField.tsx'
import { CostPreview } from './CostPreview.tsx'
import { useLastPrice, useProducts } from './products.ts'
import { SettingField } from './SettingField.tsx'
import { SlippageField } from './SlippageField.tsx'
import { Two } from './Two.tsx'
import type { FormApi } from './use-strategy-form.ts'

export function FuturesCosts({ form }: { form: FormApi }) {
  const { values } = form
  const code = values['settings.product_code']
  const product = useProducts().find((one) => one.code === code)
  return (
    <>
      <Two>
        <SettingField form={form} name="fee_per_side" />
        <SlippageField form={form} />
      </Two>
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
        last={useLastPrice(code)}
      />
    </>
  )
}

/** 0.00002 → 0.00002（十萬分之二）; String() would give 2e-5. */
function taxText(rate: number): string {
  return rate === 0.00002 ? '0.00002（十萬分之二）' : rate.toFixed(6).replace(/0+$/, '')
}

/** A disabled field cannot change. */
function ignore() {}
