/* One line that makes the fees tangible: 一口 1 點 = 50 元，來回成本約 144 元 ≈ 2.9 點. */

import type { Product } from '#contract/market.ts'
import { number, price } from '#text/format.ts'
import { Costs } from './Costs.tsx'
import { roundTrip } from './cost.ts'

/** `fee` and `slippage` as typed; `last` the newest known price of the product, null when there is none. */
export type CostPreviewProps = {
  product: Product | undefined
  fee: string
  slippage: string
  last: number | null
}

export function CostPreview({ product, fee, slippage, last }: CostPreviewProps) {
  if (!product) return null
  const found = roundTrip(product, fee, slippage, last)
  return (
    <Costs>
      <p>
        一口 1 點 = {number(product.point_value)} 元
        {found && (
          <>
            ，來回成本約 <b>{number(found.cost, found.cost.includes('.') ? 1 : 0)} 元</b> ≈{' '}
            <b>{number(found.points, 1)} 點</b>
          </>
        )}
      </p>
      {found && (
        <small>
          {found.example ? '還沒有這個商品的訊號，以 ' : '以最近的訊號價 '}
          {price(found.price, product.tick)}
          {found.example ? ' 點試算' : ' 試算'}：手續費加期交稅{slippage !== '0' && '和滑價'}，進出各一次
        </small>
      )}
    </Costs>
  )
}
