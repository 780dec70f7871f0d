/* 商品: which product, which contract, when, how many. */

import type { Product } from '#contract/market.ts'
import { number } from '#text/format.ts'
import { contractText } from '#text/strategy.ts'
import { contractOfRule, findProduct } from '#trading/products.ts'
import { SearchSelect } from '#ui/SearchSelect.tsx'
import { SegmentsField } from '#ui/SegmentsField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { AmountFields } from './AmountFields.tsx'
import { FIELDS, KIND_FORMS } from './kinds.ts'
import { useProducts } from './products.ts'
import { Section } from './Section.tsx'
import type { FormApi } from './use-strategy-form.ts'

/** 202612 → 2026 年 12 月; weeklies keep their week: 2026 年 11 月 W2. */
function monthText(month: string): string {
  return `${month.slice(0, 4)} 年 ${Number(month.slice(4, 6))} 月${month.slice(6) && ` ${month.slice(6)}`}`
}

/** What the change of product takes along: its usual fee, hours and months, unless the person had set another fee. */
function chosen(form: FormApi, code: string, products: readonly Product[]) {
  const [before, after] = [form.values['settings.product_code'], code].map((one) =>
    products.find((product) => product.code === one),
  )
  const fee = form.values['settings.fee_per_side']
  const usual = fee === '' || fee === String(before?.default_fee)
  const months = after?.contract_months ?? []
  form.change({
    'settings.product_code': code,
    ...(after && usual ? { 'settings.fee_per_side': String(after.default_fee) } : {}),
    ...(after && !after.has_night ? { 'settings.session': 'day' as const } : {}),
    ...(months.includes(form.values['settings.contract_month'])
      ? {}
      : { 'settings.contract_month': months[0] ?? '' }),
  })
}

export function ProductSection({ form }: { form: FormApi }) {
  const products = useProducts()
  const { values, field, change } = form
  const code = values['settings.product_code']
  const product = products.find((one) => one.code === code)
  const month = values['settings.contract_month']
  const months = [...new Set([...(product?.contract_months ?? []), ...(month ? [month] : [])])]
  return (
    <Section {...KIND_FORMS.futures.traded}>
      <SearchSelect
        {...field('settings.product_code')}
        onChange={(next) => chosen(form, next, products)}
        label={FIELDS.product_code.label}
        placeholder={FIELDS.product_code.placeholder ?? ''}
        options={products.map((one) => ({
          value: one.code,
          label: `${one.short_name}　${one.name}（${one.code}）`,
          group: findProduct(one.code)?.tick_table ? '股票期貨' : '指數期貨',
        }))}
        hint={
          product && (
            <span className="num">
              一點 {number(product.point_value)} 元，最小跳動 {product.tick} 點
            </span>
          )
        }
      />
      <SegmentsField
        {...field('settings.contract_rule')}
        onChange={(rule) =>
          change({
            'settings.contract_rule': rule,
            ...(rule === 'month' && !month ? { 'settings.contract_month': months[0] ?? '' } : {}),
          })
        }
        label={FIELDS.contract_rule.label}
        options={FIELDS.contract_rule.options}
        hint={
          values['settings.contract_rule'] === 'month'
            ? '只收這個月份的訊號。'
            : `訊號裡寫哪個月份都算${contractText(contractOfRule(values['settings.contract_rule'], null))}，換月不用改設定。`
        }
      />
      {values['settings.contract_rule'] === 'month' && (
        <SelectField
          {...field('settings.contract_month')}
          label={FIELDS.contract_month.label}
          placeholder={FIELDS.contract_month.placeholder ?? ''}
          options={months.map((one) => ({ value: one, label: monthText(one) }))}
        />
      )}
      <SegmentsField
        {...field('settings.session')}
        label={FIELDS.session.label}
        options={FIELDS.session.options.map((one) => ({
          ...one,
          disabled: one.value === 'day_night' && product !== undefined && !product.has_night,
        }))}
        hint={product && !product.has_night ? `${product.short_name}只有日盤` : undefined}
      />
      <AmountFields form={form} />
    </Section>
  )
}
