/* 為什麼沒收到通知: looks at each step between the signal and the screen, and mends what it can. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { notificationQueries } from '#data/nouns/notification.ts'
import { channelQueries } from '#data/nouns/notification-setting.ts'
import { useOnline } from '#screen/browser.ts'
import { Stale } from '#screen/Connection.tsx'
import { useData } from '#screen/data.tsx'
import { ReadFailure } from '#screen/Elsewhere.tsx'
import { notFound } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { usePush } from '#screen/PushDevices.tsx'
import { useNotify } from '#screen/use-notify.ts'
import { connection } from '#state/app.ts'
import { Button } from '#ui/Button.tsx'
import { Banner } from '#ui/EmptyState.tsx'
import { Icon, type IconName } from '#ui/Icon.tsx'
import { ChipSelect } from '#ui/Segments.tsx'
import { Waiting } from '../Parts.tsx'
import css from '../setting/SettingTab.module.css'
import { useListedStrategy, useSetting, useStrategies } from '../setting/use-setting.ts'
import { type Check, checks, conclusion, inLayers } from './checks.ts'
import { Deliveries } from './Deliveries.tsx'

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
      <div className={css.WhyTabWhyTabHead}>
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
              <h2 id={`layer-${layer.layer}`} className={css.WhyTabLayer}>
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
        <p className={css.WhyTabMore}>
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
    <li className={css.WhyTabRow}>
      <Icon name={look.icon} className={look.ink} label={look.word} />
      <span className={css.WhyTabWhyTabWords}>
        <b>{one.title}</b>
        <small>{one.note}</small>
      </span>
      {one.mend && (
        <Button
          size="s"
          className={css.WhyTabKey}
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

// What the checks of 為什麼沒收到 go by: four answers, each of which may be under way, here, or lost, and how pushes stand.

/** Mostly it answers at once. */
const DEVICE_MS = 1_000

/** `id` of the strategy that is asked about. */
export function useChecks(id: string | undefined) {
  const { now } = useData()
  const { state } = useSnapshot(connection)
  const push = usePush()
  const { asked, setting, change } = useSetting()
  const channels = useQuery(channelQueries.list())
  const told = useInfiniteQuery(notificationQueries.deliveries())
  const { list, strategies, others } = useStrategies()
  const { strategy: chosen, asked: one } = useListedStrategy(id ?? null, strategies)
  const answers = [asked, channels, told, list, one]
  // its words take more lines or fewer: with the list, not into it
  const patient = usePatience()
  const looking = (push.state === 'checking' || push.asking) && patient
  const asking = looking || answers.some(({ isLoading }) => isLoading)
  // nothing is judged of a strategy that this identity does not have: asking once more gives no other answer
  const missing = notFound(one.error) && !chosen ? one.error : null
  const failed = answers.filter(({ error }) => error && error !== missing)
  const steps = checks({
    now: new Date(now()).toISOString(),
    connection: state,
    asking,
    push: push.asking ? 'checking' : push.state,
    setting,
    channels: channels.data,
    deliveries: told.data?.pages[0]?.items,
    strategy: chosen ?? null,
    strategies: list.data?.total,
    others,
    silent: list.data && strategies.filter(({ my_notify }) => !my_notify.enabled).map(({ name }) => name),
  })
  const old = failed.filter(({ data }) => data).map(({ dataUpdatedAt }) => dataUpdatedAt)
  return {
    steps,
    asking,
    /** Why the strategy that is asked about cannot be. */
    missing,
    /** Too little is known for the list: which steps there are comes with these. The last one may be late by itself. */
    waits: looking || [asked, channels, list, one].some(({ isLoading }) => isLoading),
    push,
    change,
    chosen,
    strategies: chosen && !strategies.includes(chosen) ? [chosen, ...strategies] : strategies,
    /** Something could not be asked that may be there now. */
    lost: failed.length > 0 && state !== 'offline',
    /** The oldest copy that stands in for an answer, ms. */
    stale_at: old.length > 0 ? Math.min(...old) : null,
    busy: failed.some(({ isFetching }) => isFetching),
    again: () => {
      for (const { refetch } of failed) void refetch()
    },
  }
}

/** True until this device had its time to say how it stands: a browser that never does must not hide the other steps. */
function usePatience(): boolean {
  const [patient, setPatient] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), DEVICE_MS)
    return () => clearTimeout(timer)
  }, [])
  return patient
}
