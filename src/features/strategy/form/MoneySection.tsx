/* 資金與成本: what the returns are measured by, and what every trade costs. */
import { usePrivacy } from '#screen/privacy.ts'
import { ASSET_FACTS, assetOf } from '#trading/kinds.ts'
import { NumberField } from '#ui/NumberField.tsx'
import { FuturesCosts } from './FuturesCosts.tsx'
import { Section } from './Section.tsx'
import { StockCosts } from './StockCosts.tsx'
import type { FormApi } from './use-strategy-form.ts'

const COSTS = { futures: FuturesCosts, stock: StockCosts }

export function MoneySection({ form }: { form: FormApi }) {
  const privacy = usePrivacy()
  const asset = assetOf(form)
  const Costs = COSTS[asset]
  return (
    <Section
      title="資金與成本"
      about={`損益一律扣掉手續費、${ASSET_FACTS[asset].tax}和滑價；改了會用新的數字重算。`}
    >
      <div data-private={privacy.on || undefined}>
        <NumberField
          {...form.field('initial_capital')}
          label="初始資金"
          unit="元"
          integer
          hint="報酬率和最大回撤用它當分母"
        />
      </div>
      <Costs form={form} />
    </Section>
  )
}
