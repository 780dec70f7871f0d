/* 各策略: on or off for each; the name opens channels, which signals, and 重要. */
import type { Strategy } from '#contract/strategy.ts'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { useNotify } from '#screen/use-notify.ts'
import { ACTION_WORDS, channelNames } from '#text/notification.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { Switch } from '#ui/Switch.tsx'
import { SearchField } from '#ui/TextField.tsx'
import css from './StrategiesCard.module.css'
import { SwitchRow } from './SwitchRow.tsx'
import type { useStrategies } from './use-strategies.ts'

/** 全部訊號 · 推播、Telegram · 重要. */
function notifyText({ enabled, channels, actions, important }: Strategy['my_notify']): string {
  if (!enabled) return '不通知'
  return [
    ACTION_WORDS[actions],
    channels === null ? '' : channelNames(channels) || '沒有選通道',
    important ? '重要' : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

export function StrategiesCard({
  listed,
  onOpen,
}: {
  listed: ReturnType<typeof useStrategies>
  onOpen: (id: string) => void
}) {
  const { go } = useGo()
  const { name, strategies, total, more, list, box, others } = listed
  const failed = list.error && !list.data
  // what comes under the list, or beside its count, comes with it
  const elsewhere = list.isPending ? [] : others
  return (
    <Card
      title="各策略"
      {...(total > 0 && { count: total })}
      {...(elsewhere.length > 0 && { remark: <span className="t13 ink3 el">{name}</span> })}
      flush
    >
      {box && (
        <div className={css.search}>
          <SearchField label="搜尋策略" placeholder="策略名稱或標籤" {...box} />
        </div>
      )}
      <ul>
        {strategies.map((strategy) => (
          <Row key={strategy.id} strategy={strategy} onOpen={onOpen} />
        ))}
      </ul>
      {more && <p className={css.none}>還有更多策略，用搜尋找得到。</p>}
      {failed && (
        <FailState row title="讀不到策略" onRetry={() => void list.refetch()} busy={list.isFetching}>
          {failureSentence(list.error)}
        </FailState>
      )}
      {strategies.length === 0 && !failed && (
        <p className={css.none} role="status">
          {list.isPending
            ? '策略載入中…'
            : box
              ? '沒有符合的策略。'
              : '還沒有策略。建立或加入之後，每一個都能在這裡單獨設定。'}
        </p>
      )}
      {elsewhere.length > 0 && (
        <div className={css.others}>
          <span className="t13 ink3">其他身份的策略：</span>
          {elsewhere.map((one) => (
            <Button
              key={one.id}
              size="s"
              icon="swap"
              {...go(`/signal-notification?tab=setting&org=${one.id}`)}
            >
              {one.name}
            </Button>
          ))}
        </div>
      )}
    </Card>
  )
}

function Row({ strategy, onOpen }: { strategy: Strategy; onOpen: (id: string) => void }) {
  const change = useNotify(strategy)
  const { my_notify, name, id } = strategy
  return (
    <SwitchRow
      name={<b>{name}</b>}
      note={<small>{notifyText(my_notify)}</small>}
      onOpen={() => onOpen(id)}
      control={
        <Switch
          hideLabel
          label={`通知我「${name}」的訊號`}
          checked={my_notify.enabled}
          onChange={(enabled) => change({ enabled })}
        />
      }
    />
  )
}
