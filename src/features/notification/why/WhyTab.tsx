/* 為什麼沒收到通知: looks at each step between the signal and the screen, and mends what it can. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSnapshot } from 'valtio'
import { notificationQueries } from '#data/nouns/notification.ts'
import { channelQueries } from '#data/nouns/notification-channel.ts'
import { useData } from '#screen/data.tsx'
import { useGo } from '#screen/go.ts'
import { usePush } from '#screen/push.ts'
import { useNotify } from '#screen/use-notify.ts'
import { connection } from '#state/connection.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { ChipSelect } from '#ui/ChipSelect.tsx'
import { Icon } from '#ui/Icon.tsx'
import type { IconName } from '#ui/icons.ts'
import { useSetting } from '../setting/use-setting.ts'
import { useStrategies } from '../setting/use-strategies.ts'
import { type Check, checks } from './checks.ts'
import css from './WhyTab.module.css'

const LOOK: Record<Check['state'], { icon: IconName; ink: string; word: string }> = {
  ok: { icon: 'check', ink: 'good-ink', word: '沒問題' },
  warn: { icon: 'warning', ink: 'warn-ink', word: '可能的原因' },
  bad: { icon: 'close', ink: 'danger-ink', word: '找到原因' },
  unknown: { icon: 'minus', ink: 'ink3', word: '還不知道' },
}

export function WhyTab() {
  const { id } = useSearch({ from: '/_shell/signal-notification' })
  const navigate = useNavigate()
  const { open, go } = useGo()
  const { now } = useData()
  const { state } = useSnapshot(connection)
  const push = usePush()
  const { setting, change } = useSetting()
  const { data: channels } = useQuery(channelQueries.list())
  const { data: told } = useInfiniteQuery(notificationQueries.deliveries())
  const { strategies } = useStrategies()
  const chosen = strategies.find((one) => one.id === id)
  const notify = useNotify(chosen ?? { id: '', name: '' })
  const steps = checks({
    now: new Date(now()).toISOString(),
    online: state === 'online',
    push: push.state,
    setting,
    channels,
    deliveries: told?.pages[0]?.items,
    strategy: chosen ?? null,
    silent: strategies.filter(({ my_notify }) => !my_notify.enabled).map(({ name }) => name),
  })
  const mend = ({ mend: way }: Check) => {
    if (way?.do === 'open') open(way.href)
    if (way?.do === 'setting') change(way.changes, way.name)
    if (way?.do === 'strategy') notify(way.changes)
    if (way?.do === 'push') void push.enable()
  }
  const count = (state: Check['state']) => steps.filter((one) => one.state === state).length
  const [wrong, doubtful] = [count('bad'), count('warn')]
  return (
    <>
      <div className={css.head}>
        <p className="sp" role="status">
          {wrong > 0
            ? `找到 ${wrong} 個原因。`
            : doubtful > 0
              ? `沒有擋住通知的地方，有 ${doubtful} 處可以留意。`
              : '從訊號到螢幕的每一步都看過一次，沒有擋住通知的地方。'}
        </p>
        <ChipSelect
          label="看某一個策略"
          value={chosen ? (id ?? '') : ''}
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
      </div>
      {push.problem && (
        <Banner tone="warn" icon="warning" urgent>
          {push.problem}
        </Banner>
      )}
      <ol className="card flush">
        {steps.map((one) => (
          <li key={one.key} className={css.row}>
            <Icon name={LOOK[one.state].icon} className={LOOK[one.state].ink} label={LOOK[one.state].word} />
            <span className={css.words}>
              <b>{one.title}</b>
              <small>{one.note}</small>
            </span>
            {one.mend && (
              <Button
                size="s"
                kind={one.state === 'ok' ? 'ghost' : 'tint'}
                busy={one.mend.do === 'push' && push.busy}
                onClick={() => mend(one)}
              >
                {one.mend.label}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <p className={css.more}>
        都沒問題卻還是沒響？到設定對每個通道按「傳送測試」，會說花了幾毫秒，或為什麼沒有送到。
        <Button size="s" {...go('/signal-notification?tab=setting')}>
          去設定測試
        </Button>
      </p>
    </>
  )
}
