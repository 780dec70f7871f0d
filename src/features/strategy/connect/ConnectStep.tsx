/* After creating: address, message, and the first signal arriving. Two minutes, on one page. */

import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import type { Delivery, HookAnswer } from '#contract/webhook.ts'
import { asksShort, strategyQueries } from '#data/nouns/strategy.ts'
import { webhookMutations, webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx, useRecords } from '#screen/data.tsx'
import { ReadFailure } from '#screen/Elsewhere.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { useTitle } from '#screen/title.ts'
import { rowOf } from '#text/row.ts'
import { strategyLine } from '#text/strategy.ts'
import { hms, latency } from '#text/time.ts'
import { readAs } from '#text/webhook.ts'
import { Button } from '#ui/Button.tsx'
import { Card, Sides } from '#ui/Card.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Hint } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import { SignalList, SignalRow } from '#ui/nouns/SignalRow.tsx'
import { cx } from '#ui/open.ts'
import { PageHead } from '#ui/PageHead.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useImport } from '../original/OriginalTab.tsx'
import { ShortQuestion } from '../ShortQuestion.tsx'
import { BridgeCard } from './BridgeCard.tsx'
import css from './ConnectStep.module.css'
import {
  messageOf,
  OFFERED_WORDS,
  type Offered,
  partsOf,
  type Sender,
  senderOf,
  unreachable,
} from './senders.ts'

/** `from` what the form was told of where its signals come from. */
export function ConnectStep({ strategy_id, from }: { strategy_id: string; from: unknown }) {
  const ctx = useCtx()
  const { go, open } = useGo()
  const strategy = useQuery(strategyQueries.one(ctx, strategy_id))
  const webhooks = useQuery(webhookQueries.ofStrategy(ctx, strategy_id))
  const arrived = useRecords(strategy_id).items.length > 0
  useTitle(strategy.data && `接上 ${strategy.data.name}`)
  const home = `/strategies/${strategy_id}`
  const webhook = webhooks.data?.find(({ enabled, url }) => enabled && url !== null)
  const failed = strategy.error ?? webhooks.error

  if (!strategy.data || !webhooks.data)
    return (
      <div className="page">
        {failed ? (
          <>
            <PageHead title="接上訊號來源" back={{ href: home, label: '策略', onOpen: () => open(home) }} />
            <ReadFailure
              card
              error={failed}
              what="這個策略"
              back={{ href: '/strategies', label: '策略列表' }}
              busy={strategy.isFetching || webhooks.isFetching}
              onRetry={() => void Promise.all([strategy.refetch(), webhooks.refetch()])}
            >
              {failureSentence(failed, '策略已建立，')}
            </ReadFailure>
          </>
        ) : (
          <Skeleton type="detail" title="接上訊號來源" />
        )}
      </div>
    )
  const { settings } = strategy.data
  const sender = senderOf(strategy.data.kind, from)
  const source = 'data_source' in settings ? settings.data_source : 'webhook'
  return (
    <div className="page">
      <PageHead
        title="接上訊號來源"
        tags={
          <Tag tone="good" icon="check">
            策略已建立
          </Tag>
        }
        meta={
          <>
            {strategy.data.name} · {strategyLine(strategy.data)}
          </>
        }
        back={{ href: home, label: strategy.data.name, onOpen: () => open(home) }}
      />
      {source === 'csv' ? (
        <FileCard strategy={strategy.data} arrived={arrived} alone />
      ) : webhook?.url ? (
        <Sides columns="minmax(0, 1fr) 420px">
          <div className="stack">
            <UrlCard url={webhook.url} sender={sender} main={!arrived} />
            <MessageCard url={webhook.url} strategy={strategy.data} sender={sender} />
            {sender.bridge && <BridgeCard webhook={webhook} step="3" />}
            {source === 'both' && <FileCard strategy={strategy.data} arrived={arrived} />}
          </div>
          <WaitCard strategy={strategy.data} webhook_id={webhook.id} sender={sender} />
        </Sides>
      ) : (
        <EmptyState
          card
          title="沒有啟用中的 Webhook"
          action={<Button {...go(`${home}?tab=settings`)}>到設定新增</Button>}
        >
          Webhook 停用或刪除了，策略收不到訊號。
        </EmptyState>
      )}
    </div>
  )
}

/* The webhook's address: to copy, with what it means that somebody knows it. */

/** `main` makes copying the view's one filled button. */
type UrlCardProps = { url: string; sender: Sender; main: boolean }

function UrlCard({ url, sender, main }: UrlCardProps) {
  // a bridge runs at home, where every address can be reached
  const warning = sender.bridge ? null : unreachable(url)
  return (
    <Card title="1　Webhook 網址" pad>
      <div className={css.url}>
        <span className={cx(css.address, 'mono sp')}>{url}</span>
        <CopyButton size="s" kind={main ? 'filled' : 'outline'} text={url}>
          複製網址
        </CopyButton>
      </div>
      <Hint>{sender.address}知道這個網址的人就能送訊號，請當密碼保管。</Hint>
      {warning && (
        <Hint className={cx(css.warn)}>
          <Icon name="warning" size={16} className={css.icon} />
          <span>{warning}</span>
        </Hint>
      )}
    </Card>
  )
}

/* The message to paste: three ways of writing it, then what is easily forgotten at the sender. */

type MessageCardProps = { url: string; strategy: Strategy; sender: Sender }

function MessageCard({ url, strategy, sender }: MessageCardProps) {
  const { offered, mind } = sender
  const [shown, setShown] = useState<Offered>(offered[0])
  const { text, label, hint } = messageOf(shown, url, strategy, sender)
  return (
    <Card title="2　要貼的訊息">
      <div className={cx(css.message, 'pad')}>
        <Segments
          label="訊息格式"
          fill
          value={shown}
          onChange={setShown}
          options={offered.map((id) => ({ value: id, label: OFFERED_WORDS[id] }))}
        />
        <CodeBlock
          code={partsOf(text)}
          label={label}
          copy={shown === 'curl' ? '複製指令' : '複製訊息'}
          wrap={shown === 'curl'}
          clear
          className={css.code}
        />
        <Hint>{hint}</Hint>
        {shown !== 'curl' && (
          <ul className={css.mind} aria-label="容易漏掉的地方">
            {mind.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}

/* Files of XQ instead of a webhook: the first one is brought here. */

/** `alone`: nothing else brings signals. `arrived`: some are there. */
type FileCardProps = { strategy: Strategy; arrived: boolean; alone?: boolean }

function FileCard({ strategy, arrived, alone = false }: FileCardProps) {
  const { go } = useGo()
  const { keys, sheet } = useImport(strategy)
  const home = `/strategies/${strategy.id}`
  return (
    <>
      <Card title={alone ? (arrived ? '收到了' : '匯入第一個檔案') : '也可以匯入檔案'} pad>
        <div className="col gap16">
          <p className="ink2">
            選 XQ 匯出的 CSV、TXT 或
            LOG，或把列貼上來。會先讓你看內容，按下匯入才會寫進紀錄；同樣的訊號不會重複。
          </p>
          <div>{keys(alone && !arrived)}</div>
          {alone && (
            <>
              <div>
                <Button wide kind={arrived ? 'filled' : 'soft'} trailing="arrow-right" {...go(home)}>
                  {arrived ? '前往策略' : '先到策略頁，稍後再匯入'}
                </Button>
              </div>
              <p className="t13 ink3">
                之後的檔案在策略的「原始資料」匯入；想即時收到訊號，在「設定」接上 Webhook。
              </p>
            </>
          )}
        </div>
      </Card>
      {sheet}
    </>
  )
}

/* Waits for the first message and shows it arrive, live. On phones the first card docks over the tabs: what arrives is seen wherever one reads. */

const SHOWN = 5
const NO_SIGNAL = new Set<Delivery['outcome']>(['rejected', 'ignored', 'held'])

/** Requests that made no signal, newest first; the tests of this page are told elsewhere. */
function refusedOf(deliveries: readonly Delivery[]): Delivery[] {
  return deliveries.filter(({ outcome, test }) => !test && NO_SIGNAL.has(outcome)).slice(0, SHOWN)
}

export function WaitCard({
  strategy,
  webhook_id,
  sender,
}: {
  strategy: Strategy
  webhook_id: string
  sender: Sender
}) {
  const ctx = useCtx()
  const { open } = useGo()
  const { items, state } = useRecords(strategy.id)
  const { data } = useInfiniteQuery(webhookQueries.deliveries(ctx, webhook_id))
  const deliveries = data?.pages.flatMap((page) => page.items) ?? []
  const record = items[0]
  // what was here before this page looked is not announced as new
  const [before, setBefore] = useState<string | null>(null)
  if (before === null && state !== 'loading') setBefore(record?.id ?? '')
  const fresh = record !== undefined && before !== null && record.id !== before
  const taken = record && deliveries.find(({ signal_id }) => signal_id === record.id)
  const refused = refusedOf(deliveries)
  // in sight stands what came last: the signal, and until there is one the newest refusal
  const seen = record ? 0 : 1
  const home = `/strategies/${strategy.id}`
  return (
    <div className={css.waiting}>
      <Card
        title={`${sender.bridge ? 4 : 3}　${record ? '收到了' : '等待第一則訊息'}`}
        className={css.wait}
        remark={
          record ? (
            <Tag tone="good" icon="check">
              已接上
            </Tag>
          ) : (
            <i className={css.dot} aria-hidden="true" />
          )
        }
      >
        <div role="status" className="vh">
          {record ? '第一則訊息到了' : '等待第一則訊息'}
        </div>
        {record && (
          <SignalList label="剛收到的訊號" framed>
            <SignalRow
              key={record.id}
              {...rowOf(record, null)}
              highlight={fresh}
              href={`${home}?tab=signals&signal=${record.id}`}
              onOpen={() => open(`${home}?tab=signals&signal=${record.id}`)}
            />
          </SignalList>
        )}
        {asksShort(strategy) && <ShortQuestion strategy={strategy} />}
        <Refusals label="還沒收下的訊息" home={home} of={refused.slice(0, seen)} />
      </Card>
      <Card>
        {record ? (
          <p className={css.said} key={taken ? 'stored' : 'seen'}>
            {hms(record.received_at)} 收到{taken && `，${latency(taken.duration_ms)}內存好`}
            。之後每一筆都會像這樣出現在你的裝置上。
          </p>
        ) : (
          <div className={css.quiet}>
            <p>{sender.wait}</p>
            <TestLine webhook_id={webhook_id} />
          </div>
        )}
        <Refusals label="更早沒收下的訊息" home={home} of={refused.slice(seen)} />
        {/* below what was refused, which comes a moment later: drawn anew there */}
        <div className={css.on} key={refused.length}>
          <Button
            wide
            kind={record ? 'filled' : 'soft'}
            trailing="arrow-right"
            href={home}
            onClick={() => open(home)}
          >
            {record ? '前往策略' : '先到策略頁，稍後再接'}
          </Button>
        </div>
      </Card>
    </div>
  )
}

/* 送出測試: a sample through the real reading, on the spot; it never becomes a signal. */

function understood({ normal }: Delivery): string {
  const read = readAs(normal)
  return read ? `讀懂了：${read}` : '讀懂了'
}

function verdict({ delivery, answer }: { delivery: Delivery; answer: HookAnswer }) {
  if (answer.status === 'held')
    return { good: true, text: '收得到。這種寫法第一次會先問你，確認過就直接收下（測試，不計入紀錄）' }
  return answer.status === 'rejected'
    ? { good: false, text: answer.reason ?? delivery.reason ?? '這則訊息讀不懂' }
    : { good: true, text: `${understood(delivery)}（測試，不計入紀錄）` }
}

export function TestLine({ webhook_id }: { webhook_id: string }) {
  const test = useMutation(webhookMutations.test(useCtx()))
  const said = test.error
    ? { good: false, text: failureSentence(test.error, '') }
    : test.data && verdict(test.data)
  return (
    <div className={css.test}>
      <Button
        size="s"
        kind="soft"
        raised
        icon="send"
        busy={test.isPending}
        onClick={() => test.mutate({ id: webhook_id })}
      >
        送出測試
      </Button>
      <p role="status" className={said?.good ? 'good-ink' : said ? 'danger-ink' : 'ink3'}>
        {said && <Icon name={said.good ? 'check' : 'warning'} size={16} className={css.testIcon} />}
        <span>{said ? said.text : '用一則範例訊息試試伺服器讀不讀得懂。'}</span>
      </p>
    </div>
  )
}

/* Requests that made no signal, each with its reason and the field that is to blame; what waits leads to where it is confirmed. */

/** `home` the strategy's page. */
export type RefusalsProps = { of: readonly Delivery[]; label: string; home: string }

export function Refusals({ of, label, home }: RefusalsProps) {
  const { go } = useGo()
  if (of.length === 0) return null
  return (
    <ul className={css.refusals} aria-label={label}>
      {of.map(({ id, received_at, outcome, reason, field, format_id }) => (
        <li key={id}>
          <time className="num ink3">{hms(received_at)}</time>
          <div className="sp">
            {outcome === 'rejected' ? (
              <Tag tone="danger" icon="close">
                沒收下
              </Tag>
            ) : outcome === 'held' ? (
              <Tag tone="warn" icon="clock">
                等你確認
              </Tag>
            ) : (
              <Tag icon="minus">忽略</Tag>
            )}
            <p>{reason ?? '沒有說明'}</p>
            {outcome === 'held' && format_id && (
              <Button
                size="s"
                kind="tint"
                className={css.key}
                {...go(`${home}?tab=settings&format=${format_id}`)}
              >
                看會怎麼讀
              </Button>
            )}
            {field && outcome !== 'held' && (
              <p className="ink3 t13">
                欄位 <code className="mono">{field}</code>
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
