/* What would come of the entry: the position after it, what it would bring, and what the order itself costs. */
import { usePrivacy } from '#screen/privacy.ts'
import { number } from '#text/format.ts'
import { positionWords } from '#text/signal.ts'
import { ASSET_FACTS } from '#trading/kinds.ts'
import { Masked } from '#ui/Figures.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import css from './ManualSheet.module.css'
import type { useEntry } from './use-entry.ts'

/** `past`: it is entered for a moment that is over. */
export function ManualOutcome({ entry, past }: { entry: ReturnType<typeof useEntry>; past: boolean }) {
  const { on: masked } = usePrivacy()
  const { asset, position, next } = entry
  const words = (quantity: number) => positionWords(quantity, asset).word
  const realised = next?.derived.realised_pnl ?? null
  const { fee = null, tax = null } = next?.derived ?? {}
  const costs = [
    fee !== null && { name: '手續費', value: fee },
    tax ? { name: ASSET_FACTS[asset].tax, value: tax } : null,
  ].filter((one) => one !== null && one !== false)
  return (
    <div className={css.next} aria-live="polite">
      <div className="sp">
        <p className="t13 ink3">{past ? '補上後，當時的部位' : '送出後部位'}</p>
        <p className="t20 w6 num">
          {words(position)} <span className="ink3">→</span> {next ? words(next.derived.position_after) : '—'}
        </p>
        {next?.derived.none_reason && <p className="t13 ink2">不會動作：{next.derived.none_reason}</p>}
        {costs.length > 0 && (
          <p className="t13 ink3 num">
            預估
            {costs.map(({ name, value }) => (
              <span key={name}>
                {' '}
                {name} {masked ? <Masked /> : `${number(value)} 元`}
              </span>
            ))}
          </p>
        )}
      </div>
      {realised !== null && (
        <div className="r">
          <p className="t13 ink3">預估已實現</p>
          <p className="t20 w6">
            <Delta value={realised} masked={masked} />
          </p>
        </div>
      )}
    </div>
  )
}
