/* What a stock trade costs: fee, discount, minimum and slippage to set, the tax by law, and an example of them all. */

import { useRecords } from '#screen/records.ts'
import { number, price, shares } from '#text/format.ts'
import { serverNowIso } from '#text/now.ts'
import { taipei } from '#trading/calendar.ts'
import { stockTick, stockType } from '#trading/products.ts'
import { Costs } from './Costs.tsx'
import { latestPrice } from './latest-price.ts'
import { SettingField } from './SettingField.tsx'
import { SlippageField } from './SlippageField.tsx'
import { shownStock, stockTrip } from './stock-cost.ts'
import { Two } from './Two.tsx'
import type { FormApi } from './use-strategy-form.ts'

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
