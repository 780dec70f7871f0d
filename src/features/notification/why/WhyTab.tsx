/* 為什麼沒收到通知: looks at each step between the signal and the screen, and mends what it can. */

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useOnline } from '#screen/browser.ts'
import { Stale } from '#screen/Connection.tsx'
import { ReadFailure } from '#screen/Elsewhere.tsx'
import { useGo } from '#screen/go.ts'
import { useNotify } from '#screen/use-notify.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { ChipSelect } from '#ui/Chips.tsx'
import { Icon, type IconName } from '#ui/Icon.tsx'
import { Waiting } from '../Waiting.tsx'
import { type Check, conclusion, inLayers } from './checks.ts'
import { Deliveries } from './Deliveries.tsx'
import { useChecks } from './use-checks.ts'
import css from './WhyTab.module.css'

const LOOK: Record<Check['state'], { icon: IconName; ink: string; word: string }> = {
  ok: { icon: 'check', ink: 'good-ink', word: '沒問題' },
  warn: { icon: 'warning', ink: 'warn-ink', word: '可能的原因' },
  bad: { icon: 'close', ink: 'danger-ink', word: '找到原因' },
  aside: { icon: 'minus', ink: 'ink3', word: '不是原因' },
  unknown: { icon: 'minus', ink: 'ink3', word: '還不知道' },
}

export function WhyTab() {
  const { id } = useSearch({ from: '/_shell/signal-notification' })
  const navigate = useNavigate()
  const { open, go } = useGo()
  const { steps, asking, missing, waits, lost, stale_at, again, busy, strategies, chosen, push, change } =
    useChecks(id)
  const online = useOnline()
  const notify = useNotify(chosen ?? { id: '', name: '' })
  const mend = ({ mend: step }: Check) => {
    if (step?.do === 'open') open(step.href)
    if (step?.do === 'setting') change(step.changes, step.name)
    if (step?.do === 'strategy') notify(step.changes)
    if (step?.do === 'push') void push.enable()
  }
  if (missing)
    return (
      <ReadFailure
        card
        error={missing}
        what="這個策略"
        back={{ href: '/signal-notification?tab=why', label: '不分策略' }}
        busy={busy}
        onRetry={again}
      >
        {null}
      </ReadFailure>
    )
  return (
    <>
      {stale_at !== null && <Stale at={stale_at} />}
      <div className={css.whyTabHead}>
        <p className="sp" role="status">
          {conclusion(steps, asking)}
        </p>
        {lost && (
          <Button size="s" icon="refresh" busy={busy} onClick={again}>
            再看一次
          </Button>
        )}
        {strategies.length > 0 && (
          <ChipSelect
            label="看某一個策略"
            value={chosen ? chosen.id : ''}
            onChange={(next) =>
              void navigate({
                to: '/signal-notification',
                search: { tab: 'why', ...(next && { id: next }) },
                replace: true,
                resetScroll: false,
              })
            }
            options={[
              { value: '', label: '不分策略' },
              ...strategies.map(({ id: value, name: label }) => ({ value, label })),
            ]}
          />
        )}
      </div>
      {push.problem && (
        <Banner tone="warn" icon="warning" urgent>
          {push.problem}
        </Banner>
      )}
      {waits ? (
        <Waiting label="正在一步一步看" />
      ) : (
        <div className="stack">
          {inLayers(steps).map((layer, at) => (
            <section key={layer.layer} className="card flush" aria-labelledby={`layer-${layer.layer}`}>
              <h2 id={`layer-${layer.layer}`} className={css.layer}>
                <span className="num ink3">{at + 1}</span>
                <span className="sp">{layer.title}</span>
                <span className={LOOK[layer.state].ink}>{LOOK[layer.state].word}</span>
              </h2>
              <ol>
                {layer.steps.map((one) => (
                  <Step key={one.key} one={one} busy={push.busy} onMend={() => mend(one)} />
                ))}
              </ol>
            </section>
          ))}
        </div>
      )}
      {!asking && (
        <p className={css.more}>
          都沒問題卻還是沒響？{online ? '' : '連線後'}
          到設定對每個通道按「傳送測試」，會說花了幾毫秒，或為什麼沒有送到。
          <Button size="s" {...go('/signal-notification?tab=setting')}>
            去設定測試
          </Button>
        </p>
      )}
      <Deliveries />
    </>
  )
}

function Step({ one, busy, onMend }: { one: Check; busy: boolean; onMend: () => void }) {
  const look = LOOK[one.state]
  return (
    <li className={css.row}>
      <Icon name={look.icon} className={look.ink} label={look.word} />
      <span className={css.whyTabWords}>
        <b>{one.title}</b>
        <small>{one.note}</small>
      </span>
      {one.mend && (
        <Button
          size="s"
          className={css.key}
          kind={one.state === 'ok' || one.state === 'aside' ? 'ghost' : 'tint'}
          busy={one.mend.do === 'push' && busy}
          onClick={onMend}
        >
          {one.mend.label}
        </Button>
      )}
    </li>
  )
}
