/* After creating: address, message, and the first signal arriving. Two minutes, on one page. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { strategyQueries } from '#data/nouns/strategy.ts'
import { webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx, useRecords } from '#screen/data.tsx'
import { ReadFailure } from '#screen/Elsewhere.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { useTitle } from '#screen/title.ts'
import { strategyLine } from '#text/strategy.ts'
import { Button } from '#ui/Button.tsx'
import { Card, Sides } from '#ui/Card.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Hint } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/open.ts'
import { PageHead } from '#ui/PageHead.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useImport } from '../original/OriginalTab.tsx'
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
import { WaitCard } from './WaitCard.tsx'

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
