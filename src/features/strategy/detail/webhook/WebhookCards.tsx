/* The cards of a webhook: its address (masked until asked for, renewed with a time of grace, switched off), its formats, what to paste at the sender, a test; and adding one. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import type { Webhook } from '#contract/webhook.ts'
import type { WebhookFormat } from '#contract/webhook-format.ts'
import { webhookMutations, webhookQueries } from '#data/nouns/webhook.ts'
import { Ask } from '#screen/Ask.tsx'
import { useCtx } from '#screen/data.tsx'
import { failureSentence, refusedFields } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { ago, latency, mdHm, number } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { fieldsText, waitingText } from '#text/webhook.ts'
import { exampleLevelOf, exampleSymbol } from '#trading/examples.ts'
import { MESSAGE_TEMPLATES, type MessageTemplate } from '#trading/message-templates.ts'
import type { Asset } from '#trading/record.ts'
import { Button } from '#ui/Button.tsx'
import { Card, CardRows, Fold } from '#ui/Card.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Banner, FailState } from '#ui/EmptyState.tsx'
import { Hint } from '#ui/Field.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { cx, opens } from '#ui/open.ts'
import { Segments } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Switch } from '#ui/Switch.tsx'
import { Tag } from '#ui/Tag.tsx'
import { TextField } from '#ui/TextField.tsx'
import { partsOf, senderOf, unreachable } from '../../connect/senders.ts'
import settingsTabCss from '../SettingsTab.module.css'
import css from './Webhook.module.css'
import { maskedUrl, normalRows, verdictOf } from './words.ts'

/** `onAsked` opens the newest format that waits. */
export function AddressCard({
  webhook,
  onAsked,
}: {
  webhook: Webhook
  onAsked: (format_id: string) => void
}) {
  const [shown, setShown] = useState(false)
  const [renewing, setRenewing] = useState(false)
  const change = useChange(webhook, ({ enabled }) =>
    enabled ? 'Webhook 已啟用' : 'Webhook 已停用，送來的訊息會被拒收',
  )
  const { url, enabled, old_url_until } = webhook
  const formats = useQuery(webhookQueries.formats(useCtx(), webhook.id)).data?.items ?? []
  const [asked, ...more] = formats.filter(({ state }) => state === 'waiting')
  const warning = url && unreachable(url)
  return (
    <Card
      title="Webhook 網址"
      remark={<Health webhook={webhook} asked={asked !== undefined} />}
      action={
        <Switch
          label="啟用"
          hideLabel
          checked={enabled}
          disabled={change.isPending}
          onChange={(on) => change.mutate({ kind: 'enable', enabled: on })}
        />
      }
      pad
    >
      {asked && (
        <div className={css.AddressCardAsked}>
          <Banner
            tone="warn"
            icon="clock"
            action={
              <Button size="s" onClick={() => onAsked(asked.id)}>
                去確認
              </Button>
            }
          >
            {more.length > 0 && `${number(more.length + 1)} 種`}新格式等你確認
          </Banner>
        </div>
      )}
      {url && (
        <div className={css.AddressCardUrl}>
          <span className={shown ? cx(css.AddressCardAll, 'mono sp') : 'mono sp el'}>
            {shown ? url : maskedUrl(url)}
          </span>
          <IconButton
            icon={shown ? 'eye-off' : 'eye'}
            size={18}
            label={shown ? '遮住網址' : '顯示完整網址'}
            onClick={() => setShown(!shown)}
          />
          <CopyButton className={css.AddressCardCopy} size="s" kind="filled" text={url}>
            複製網址
          </CopyButton>
        </div>
      )}
      <div className={css.AddressCardFoot}>
        <p className="t13 ink3 sp">
          {old_url_until
            ? `舊網址還能用到 ${mdHm(old_url_until)}，請在那之前換上新的。`
            : '知道這個網址的人就能送訊號，請當密碼保管。'}
        </p>
        <Button kind="ghost" size="s" onClick={() => setRenewing(true)}>
          重新產生
        </Button>
      </div>
      {warning && (
        <p className={cx(css.AddressCardNote, 'warn-ink')}>
          <Icon name="warning" size={16} className={css.AddressCardIcon} />
          <span>{warning}</span>
        </p>
      )}
      {change.error && <Hint error>{failureSentence(change.error, '設定維持原樣，')}</Hint>}
      {renewing && <RotateDialog webhook={webhook} onClose={() => setRenewing(false)} />}
    </Card>
  )
}

function Health({ webhook, asked }: { webhook: Webhook; asked: boolean }) {
  const { health, last_accepted_at, enabled } = webhook
  if (!enabled) return <Tag icon="pause">已停用</Tag>
  if (asked)
    return (
      <Tag tone="warn" icon="clock">
        等你確認
      </Tag>
    )
  if (health === 'failing')
    return (
      <Tag tone="danger" icon="warning">
        上一則沒收下
      </Tag>
    )
  if (health === 'never' || !last_accepted_at) return <Tag icon="clock">還沒收過訊息</Tag>
  return (
    <Tag tone={health === 'ok' ? 'good' : 'neutral'} icon={health === 'ok' ? 'check' : 'clock'}>
      {`${ago(last_accepted_at, serverNow())}收到`}
    </Tag>
  )
}

type Grace = 'now' | '1h' | '24h'
const GRACES: readonly { value: Grace; label: string }[] = [
  { value: 'now', label: '立即失效' },
  { value: '1h', label: '再用 1 小時' },
  { value: '24h', label: '再用 24 小時' },
]

/** A new address, and how long the old one still works. */
function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [grace, setGrace] = useState<Grace>('1h')
  const done = ({ old_url_until }: Webhook) => ({
    title: old_url_until ? `已換新網址，舊的可用到 ${mdHm(old_url_until)}` : '已換新網址，舊的立即失效',
  })
  return (
    <Ask
      title="重新產生網址"
      verb="產生新網址"
      icon="refresh"
      mild
      mutation={webhookMutations.change(useCtx(), webhook)}
      input={{ kind: 'rotate', grace }}
      done={done}
      safe="網址沒有變，"
      onClose={onClose}
    >
      <p>訊號來源那邊要換上新的網址。網址外流時請選立即失效。</p>
      <Segments label="舊網址" value={grace} onChange={setGrace} options={GRACES} tall wide />
    </Ask>
  )
}

/* 訊息格式: what this webhook's messages may look like: those that wait to be seen, then those that are read. */

export type FormatsCardProps = {
  webhook: Webhook
  asset: Asset
  /** Address of one. */
  href: (id: string) => string
  onOpen: (id: string) => void
}

export function FormatsCard({ webhook, asset, href, onOpen }: FormatsCardProps) {
  const { data, error, isFetching, refetch } = useQuery(webhookQueries.formats(useCtx(), webhook.id))
  return (
    <Card title="訊息格式" flush>
      <p className="pad t13 ink3">現成的範本直接收。其他寫法第一次會先問你，看過一次，以後就照那樣讀。</p>
      {webhook.no_count && (
        <p className="pad t13 warn-ink">
          序號「{webhook.mapping?.sequence}
          」大多不是一則加一，看不出少了哪一則，所以不再提醒缺號。若它是時間或價格，請在格式裡換一個欄位或拿掉。
        </p>
      )}
      {data ? (
        <CardRows links>
          {data.items.map((format) => (
            <li key={format.id}>
              {format.id.startsWith('builtin:') ? (
                <div>
                  <b>{format.name}</b>
                  <small>現成的格式，不用確認</small>
                </div>
              ) : (
                <a href={href(format.id)} onClick={opens(() => onOpen(format.id))}>
                  {format.state === 'waiting' && <Icon name="clock" className="warn-ink" />}
                  <span className="sp">
                    <b>{format.state === 'waiting' ? waitingText(format) : format.name}</b>
                    <small>
                      {format.state === 'waiting' ? countText(format) : fieldsText(format.fields, asset)}
                    </small>
                  </span>
                  <Icon name="chevron-right" size={16} className="ink3" />
                </a>
              )}
            </li>
          ))}
        </CardRows>
      ) : error ? (
        <FailState title="讀不到訊息格式" onRetry={() => void refetch()} busy={isFetching}>
          {failureSentence(error, '格式都在伺服器上，')}
        </FailState>
      ) : (
        <Skeleton inside label="訊息格式載入中" />
      )}
    </Card>
  )
}

const countText = ({ waiting_count }: WebhookFormat) =>
  waiting_count > 0 ? `${number(waiting_count)} 則等你確認` : '照舊收下，等你確認'

/* 訊息範本: what to paste at the sender, made ready for this webhook and product. */

type Id = MessageTemplate['id']
const SHORT: Record<Id, string> = {
  tradingview_strategy: 'TradingView',
  four_actions: '四動作',
  indicator: '指標',
  xq_print: 'XQ',
  curl: 'curl',
}

export function TemplatesCard({ webhook, strategy }: { webhook: Webhook; strategy: Strategy }) {
  const [shown, setShown] = useState<Id>(
    webhook.format === 'xq' || senderOf(strategy.kind).bridge ? 'xq_print' : 'tradingview_strategy',
  )
  const found = MESSAGE_TEMPLATES.find(({ id }) => id === shown)
  if (!found) return null
  const text =
    shown === 'curl'
      ? found.text.replace('{{URL}}', webhook.url ?? '').replace('MXF1!', exampleSymbol(strategy.settings))
      : found.text.replaceAll('","', '",\n "')
  return (
    <Card title="訊息範本">
      <div className="col gap12 pad">
        <Segments
          label="範本"
          value={shown}
          onChange={setShown}
          options={MESSAGE_TEMPLATES.map(({ id }) => ({ value: id, label: SHORT[id] }))}
          wide
        />
        <CodeBlock
          code={partsOf(text)}
          label={found.label}
          copy={shown === 'curl' ? '複製指令' : '複製訊息'}
          wrap
        />
        <p className="t13 ink3">{found.hint}</p>
      </div>
    </Card>
  )
}

/* 送出測試: an editable message through the real reading; it never becomes a signal. */

function sampleOf(strategy: Strategy): string {
  const { settings } = strategy
  return `{"action":"buy","symbol":"${exampleSymbol(settings)}","contracts":"1","price":"${exampleLevelOf(settings)}"}`
}

export function TestCard({ webhook, strategy }: { webhook: Webhook; strategy: Strategy }) {
  const ctx = useCtx()
  const [body, setBody] = useState(() => sampleOf(strategy))
  const test = useMutation(webhookMutations.test(ctx))
  const delivery = test.data?.delivery
  const verdict = delivery && verdictOf(delivery)
  return (
    <Card flush>
      <Fold title={<b>送出測試</b>} note="不計入紀錄">
        <div className="col gap16">
          <TextField
            label="訊息內容"
            hint="照這個 Webhook 現在的設定解析，不會成為訊號，也不通知任何人。"
            value={body}
            onChange={setBody}
            rows={4}
            mono
          />
          <Refused text={test.error && failureSentence(test.error, '沒有送出，')} />
          <div className="row gap8">
            <Button
              kind="soft"
              icon="send"
              busy={test.isPending}
              disabled={!body.trim()}
              onClick={() => test.mutate({ id: webhook.id, body })}
            >
              送出測試
            </Button>
            <Button
              kind="ghost"
              disabled={body === sampleOf(strategy)}
              onClick={() => setBody(sampleOf(strategy))}
            >
              還原範例
            </Button>
          </div>
        </div>
        <div role="status">
          {delivery && verdict && (
            <div className={settingsTabCss.result}>
              <p className="row gap8">
                <Tag tone={verdict.tone} icon={verdict.icon}>
                  {verdict.text}
                </Tag>
                <span className="t13 ink3 num">{latency(delivery.duration_ms)}</span>
              </p>
              {delivery.outcome === 'held' ? (
                <p>沒看過的寫法：真的送來時會先等你確認，看過一次，以後就直接收下。</p>
              ) : (
                delivery.reason && <p>{delivery.reason}</p>
              )}
              {delivery.normal && <KeyValues rows={normalRows(delivery.normal)} />}
            </div>
          )}
        </div>
      </Fold>
    </Card>
  )
}

/* A further webhook for a strategy (at most five). */

/** `onAdded` gets the new webhook's id. */
export type AddDialogProps = { strategy_id: string; onClose: () => void; onAdded: (id: string) => void }

export function AddDialog({ strategy_id, onClose, onAdded }: AddDialogProps) {
  const ctx = useCtx()
  const [name, setName] = useState('')
  const add = useMutation({
    ...webhookMutations.create(ctx),
    onSuccess: (webhook) => {
      toast({ title: `已新增「${webhook.name}」`, icon: 'check' })
      onAdded(webhook.id)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() && !add.isPending) add.mutate({ strategy_id, name })
  }
  const fields = refusedFields(add.error)
  return (
    <Dialog
      open
      onClose={onClose}
      sticky={name !== ''}
      title="新增 Webhook"
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" type="submit" form="add-webhook" disabled={!name.trim()} busy={add.isPending}>
            新增
          </Button>
        </>
      }
    >
      <p>每個來源各用一個網址，收到什麼、擋下什麼就分得清楚。</p>
      <form id="add-webhook" className="col gap16" onSubmit={submit}>
        <TextField
          label="名稱"
          value={name}
          onChange={setName}
          maxLength={60}
          placeholder="例如：備援快訊"
          error={fields?.['name']}
        />
      </form>
      <Refused text={!fields && add.error && failureSentence(add.error, '沒有新增，')} />
    </Dialog>
  )
}

/* Changing a webhook, and saying so. */

/** `done` is the sentence of the toast. */
export function useChange(webhook: Webhook, done: (changed: Webhook) => string, onDone?: () => void) {
  const ctx = useCtx()
  return useMutation({
    ...webhookMutations.change(ctx, webhook),
    onSuccess: (changed) => {
      toast({ title: done(changed), icon: 'check' })
      onDone?.()
    },
  })
}
