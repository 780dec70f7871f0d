/* What a trade costs, in one line that makes the fees tangible. */

import type { ReactNode } from 'react'
import type { Product } from '#contract/market.ts'
import { useRecords } from '#screen/data.tsx'
import { number, price, shares } from '#text/format.ts'
import { serverNowIso } from '#text/now.ts'
import { taipei } from '#trading/calendar.ts'
import { stockTick, stockType } from '#trading/products.ts'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/open.ts'
import { TextField } from '#ui/TextField.tsx'
import { roundTrip, shownStock, stockTrip } from './cost.ts'
import { SettingField, SlippageField, Two } from './Fields.tsx'
import { latestPrice, useLastPrice, useProducts } from './products.ts'
import css from './StrategyForm.module.css'
import type { FormApi } from './use-strategy-form.ts'

export function Costs({ children }: { children: ReactNode }) {
  return (
    <div className={cx(css.costs, 'num')} role="status">
      <Icon name="info" size={18} className={cx(css.icon, 'ink3')} />
      <div>{children}</div>
    </div>
  )
}

/* What a futures trade costs: fee and slippage to set, the tax of the product to read, and an example of both. */

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

/* What a stock trade costs: fee, discount, minimum and slippage to set, the tax by law, and an example of them all. */

export function StockCosts({ form }: { form: FormApi }) {
  return (
    <>
      <Two>
        <SettingField form={form} name="commission_rate" />
        <SettingField form={form} name="commission_discount" />
      </Two>
      <Two>
        <SettingField form={form} name="min_fee" />
        <SettingField form={form} name="odd_lot_min_fee" />
      </Two>
      <SlippageField form={form} />
      <SettingField form={form} name="allow_day_trade" />
      <TripPreview form={form} />
    </>
  )
}

function TripPreview({ form: { values } }: { form: FormApi }) {
  const { items } = useRecords()
  const stock = shownStock(values['settings.symbols'], (symbol) => latestPrice(items, symbol))
  const today = taipei(serverNowIso()).date
  const trip = stockTrip(values, stock, today)
  if (!trip) return null
  return (
    <Costs>
      <p>
        {trip.symbol} {trip.name} {shares(trip.shares)}，來回成本約 <b>{number(trip.cost)} 元</b> ≈{' '}
        <b>{trip.rate}%</b>
      </p>
      <small>
        {trip.example ? '以範例價 ' : '以最近的訊號價 '}
        {price(trip.price, stockTick(trip.price, stockType(trip.symbol), today))} 元試算：手續費{' '}
        {number(trip.fee_entry)} ＋ {number(trip.fee_exit)}
        ，證交稅 {number(trip.tax)}
        {trip.day_tax && `（當沖 ${number(trip.day_tax)}）`}
        {values.slippage_ticks !== '0' && '，加上滑價'}。實際金額以券商對帳單為準。
      </small>
    </Costs>
  )
}

/* One line that makes the fees tangible: 一口 1 點 = 50 元，來回成本約 144 元 ≈ 2.9 點. */

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
