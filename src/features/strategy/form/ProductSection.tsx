/* 商品: which product, which contract, when, how many. */
import type { Product } from '#contract/market.ts'
import { number } from '#text/format.ts'
import { contractText } from '#text/strategy.ts'
import { findProduct } from '#trading/products.ts'
import { NumberField } from '#ui/NumberField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Choice } from './Choice.tsx'
import { Section } from './Section.tsx'
import type { FormApi } from './use-form.ts'

const RULES = [
  { value: 'near', label: '近月連續' },
  { value: 'next', label: '次月連續' },
  { value: 'month', label: '指定月份' },
] as const
const AMOUNTS = [
  { value: 'signal', label: '訊號內容' },
  { value: 'fixed', label: '固定數量' },
] as const

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

export function ProductSection({ form, products }: { form: FormApi; products: readonly Product[] }) {
  const { values, field, change } = form
  const code = values['settings.product_code']
  const product = products.find((one) => one.code === code)
  const month = values['settings.contract_month']
  const months = [...new Set([...(product?.contract_months ?? []), ...(month ? [month] : [])])]
  return (
    <Section title="商品" about="訊號的商品要和這裡一致；不一致的預設拒絕。">
      <SelectField
        {...field('settings.product_code')}
        onChange={(next) => chosen(form, next, products)}
        label="商品"
        placeholder="請選商品"
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
      <Choice
        {...field('settings.contract_rule')}
        onChange={(rule) =>
          change({
            'settings.contract_rule': rule,
            ...(rule === 'month' && !month ? { 'settings.contract_month': months[0] ?? '' } : {}),
          })
        }
        label="合約"
        options={RULES}
        hint={
          values['settings.contract_rule'] === 'month'
            ? '只收這個月份的訊號。'
            : `訊號裡寫哪個月份都算${contractText(values['settings.contract_rule'])}，換月不用改設定。`
        }
      />
      {values['settings.contract_rule'] === 'month' && (
        <SelectField
          {...field('settings.contract_month')}
          label="合約月份"
          placeholder="請選月份"
          options={months.map((one) => ({ value: one, label: monthText(one) }))}
        />
      )}
      <Choice
        {...field('settings.session')}
        label="交易時段"
        options={[
          { value: 'day', label: '日盤' },
          { value: 'day_night', label: '日夜盤', disabled: product !== undefined && !product.has_night },
        ]}
        hint={product && !product.has_night ? `${product.short_name}只有日盤` : undefined}
      />
      <Choice
        {...field('quantity_mode')}
        label="數量來源"
        options={AMOUNTS}
        hint={
          values.quantity_mode === 'signal'
            ? '照訊號寫的口數；沒寫時用預設數量。'
            : '不管訊號寫幾口，一律用預設數量。'
        }
      />
      <div className="fs-two">
        <NumberField
          {...field('default_quantity')}
          label="預設數量"
          unit="口"
          integer
          step="1"
          min="1"
          max="999"
        />
        <NumberField
          {...field('max_position')}
          label="最大部位"
          unit="口"
          integer
          step="1"
          min="1"
          max="1000"
        />
      </div>
    </Section>
  )
}
