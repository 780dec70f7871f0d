/* What is unusual about the entry, before it is sent: its price, or its time. None of it is refused. */
import type { Asset } from '#trading/record.ts'
import { Banner } from '#ui/Banner.tsx'
import { beyondLimits } from './limits.ts'
import type { useEntry } from './use-entry.ts'
import { useLimitFacts } from './use-limit-facts.ts'

/** `tickWords` the step at this price, in words. */
export type ManualWarningsProps = {
  entry: ReturnType<typeof useEntry>
  of: { asset: Asset; symbol: string; trading_date: string }
  tickWords: string | null
}

export function ManualWarnings({ entry, of, tickWords }: ManualWarningsProps) {
  const { draft, next, reference, terms } = entry
  const facts = useLimitFacts(of.asset, of.symbol)
  const flags = next?.derived.flags ?? []
  const said = [
    beyondLimits(Number(draft.price), reference, of, terms, facts),
    flags.includes('off_tick') ? `價格不在檔位上（${tickWords}），送出後會標示。` : null,
    flags.includes('outside_session') ? OUTSIDE[of.asset] : null,
  ]
  return said.map(
    (words) =>
      words !== null && (
        <Banner key={words} tone="warn" icon="warning">
          {words}
        </Banner>
      ),
  )
}

const OUTSIDE: Record<Asset, string> = {
  futures: '訊號時間不在這個商品的交易時段內，送出後會標示。',
  stock: '訊號時間不在股票的交易時段內，送出後會標示。',
}
