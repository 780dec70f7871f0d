/* What a trade costs: counted for a round trip, and told in one line that makes the fees tangible. */

import type { ReactNode } from 'react'
import { STOCK_SETTINGS } from '#contract/kinds/stock.ts'
import type { Product } from '#contract/market.ts'
import { useRecords } from '#screen/data.tsx'
import { number, price, shares } from '#text/format.ts'
import { serverNowIso } from '#text/now.ts'
import { taipei } from '#trading/calendar.ts'
import { futuresSlippage, futuresTax, stockCosts } from '#trading/costs.ts'
import { divHalfUp, scaled, toText } from '#trading/decimal.ts'
import { EXAMPLE, exampleLevel } from '#trading/examples.ts'
import { BOARD_LOT } from '#trading/kinds.ts'
import { stockName, stockTick, stockType } from '#trading/products.ts'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/open.ts'
import { TextField } from '#ui/TextField.tsx'
import { SettingField, SlippageField, Two } from './Fields.tsx'
import { FIELDS } from './kinds.ts'
import { latestPrice, useLastPrice, useProducts } from './products.ts'
import strategyFormCss from './StrategyForm.module.css'
import type { FormApi, FormValues } from './use-strategy-form.ts'

export function Costs({ children }: { children: ReactNode }) {
  return (
    <div className={cx(strategyFormCss.costs, 'num')} role="status">
      <Icon name="info" size={18} className={cx(strategyFormCss.icon, 'ink3')} />
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

// What one round trip of one lot costs, exact, for the line under the cost fields (domain §§5.4, 7.3).

/** Whole NT$ and points with one decimal, as decimal texts. `price` the level it was tried on. */
export interface RoundTrip {
  price: number
  example: boolean
  cost: string
  points: string
}

/** Cost of opening and closing one lot at the newest known price, else at an example level; null while a field does not fit or no level is known. */
export function roundTrip(
  product: Product,
  fee: string,
  slippage: string,
  last: number | null,
): RoundTrip | null {
  const price = last ?? exampleLevel(product.code)
  if (price === undefined || !/^\d{1,4}$/.test(fee) || !/^\d{1,2}$/.test(slippage)) return null
  const tax = futuresTax(scaled(price), product.point_value, product.tax_rate) * 2n
  const slip = futuresSlippage(product.tick, Number(slippage), product.point_value, 1)
  const cost = scaled(fee) * 2n + tax + slip
  // one decimal of a point, half up: cost ÷ value of a point × 10, rounded, then shifted back
  const tenths = divHalfUp(cost * 10n, scaled(product.point_value))
  return { price, example: last === null, cost: toText(cost), points: toText(tenths * 1000n) }
}

// What buying and selling once costs on stock, exact, for the lines under the cost fields (domain §§3.4, 5.5).

/** Whole NT$ as decimal texts; `rate` in percent with two decimals. */
export interface StockTrip {
  shares: number
  symbol: string
  name: string
  price: number
  example: boolean
  fee_entry: string
  fee_exit: string
  tax: string
  cost: string
  rate: string
  /** The tax when it is bought and sold on one day; null where day trades are not allowed or pay the same. */
  day_tax: string | null
}

const KNOWN = '2330'
/** A usual odd lot. */
const ODD = 100

/** What the trip is shown with: a stock of the strategy whose price is known, else the best known one. */
export function shownStock(symbols: readonly string[], last: (symbol: string) => number | null) {
  for (const symbol of symbols) {
    const price = last(symbol)
    if (price !== null) return { symbol, price, example: false }
  }
  const symbol = symbols.find((one) => exampleLevel(one) !== undefined) ?? KNOWN
  return { symbol, price: exampleLevel(symbol) ?? EXAMPLE.tsmc, example: true }
}

/** One 張 (or 100 股) in and out at one price on a Taipei day; null while a field does not fit. */
export function stockTrip(
  values: FormValues,
  { symbol, price, example }: ReturnType<typeof shownStock>,
  on: string,
): StockTrip | null {
  const terms = {
    commission_rate: FIELDS.commission_rate.input(values['settings.commission_rate']),
    commission_discount: FIELDS.commission_discount.input(values['settings.commission_discount']),
    min_fee: FIELDS.min_fee.input(values['settings.min_fee']),
    odd_lot_min_fee: FIELDS.odd_lot_min_fee.input(values['settings.odd_lot_min_fee']),
    allow_day_trade: values['settings.allow_day_trade'],
  }
  for (const [name, value] of Object.entries(terms))
    if (!STOCK_SETTINGS[name as keyof typeof terms].is.safeParse(value).success) return null
  if (!/^\d{1,2}$/.test(values.slippage_ticks)) return null
  const shares = values['settings.unit'] === 'board_lot' ? BOARD_LOT : ODD
  const piece = {
    side: 'long' as const,
    quantity: shares,
    entry_price: price,
    exit_price: price,
    type: stockType(symbol),
    on,
    slippage_ticks: Number(values.slippage_ticks),
  }
  const costs = stockCosts({ ...piece, day_trade: false }, terms)
  const cost = costs.fee + costs.tax + costs.slippage
  const day = terms.allow_day_trade ? stockCosts({ ...piece, day_trade: true }, terms).tax : costs.tax
  // two decimals of a percent, half up: cost ÷ amount × 10,000, rounded, then shifted back
  const hundredths = divHalfUp(cost * 10_000n, scaled(price) * BigInt(shares))
  return {
    shares,
    symbol,
    name: stockName(symbol),
    price,
    example,
    fee_entry: toText(costs.fee_entry),
    fee_exit: toText(costs.fee_exit),
    tax: toText(costs.tax),
    cost: toText(cost),
    rate: toText(hundredths * 100n),
    day_tax: day === costs.tax ? null : toText(day),
  }
}
