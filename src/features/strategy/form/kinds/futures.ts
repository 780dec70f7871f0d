// The settings of a futures strategy in the form: a new one is 小台 of the near month.
import { FUTURES_SETTINGS as IS } from '#contract/kinds/futures.ts'
import type { WritableName } from '#contract/kinds/setting.ts'
import { HOURS_TEXT } from '#text/strategy.ts'
import { findProduct } from '#trading/products.ts'
import type { ContractRule } from '#trading/record.ts'
import { type AnySetting, figure, held, oneOf, optional } from './setting.ts'

const FIRST = 'MXF'

export const FUTURES_FIELDS = {
  product_code: held(FIRST, { label: '商品', placeholder: '請選商品' }),
  contract_rule: oneOf<ContractRule>(
    IS.contract_rule.default,
    { near: '近月連續', next: '次月連續', month: '指定月份' },
    { label: '合約' },
  ),
  contract_month: optional({ label: '合約月份', placeholder: '請選月份' }),
  session: oneOf<'day' | 'day_night'>(IS.session.default, HOURS_TEXT, { label: '交易時段' }),
  fee_per_side: figure(findProduct(FIRST)?.default_fee ?? null, {
    label: '手續費',
    unit: '元／口／單邊',
    whole: true,
  }),
} satisfies Record<WritableName<typeof IS>, AnySetting>
