/* The address of a webhook: masked until asked for, copied in full; renewed with a time of grace; switched off; deleted. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Webhook } from '#contract/webhook.ts'
import { webhookMutations, webhookQueries } from '#data/nouns/webhook.ts'
import { Ask } from '#screen/Ask.tsx'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { ago, mdHm, number } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Hint } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { cx } from '#ui/open.ts'
import { Segments } from '#ui/Segments.tsx'
import { Switch } from '#ui/Switch.tsx'
import { Tag } from '#ui/Tag.tsx'
import { unreachable } from '../../connect/senders.ts'
import css from './AddressCard.module.css'
import { useChange } from './save.ts'
import { maskedUrl } from './words.ts'

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
        <div className={css.asked}>
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
        <div className={css.url}>
          <span className={shown ? cx(css.all, 'mono sp') : 'mono sp el'}>
            {shown ? url : maskedUrl(url)}
          </span>
          <IconButton
            icon={shown ? 'eye-off' : 'eye'}
            size={18}
            label={shown ? '遮住網址' : '顯示完整網址'}
            onClick={() => setShown(!shown)}
          />
          <CopyButton className={css.copy} size="s" kind="filled" text={url}>
            複製網址
          </CopyButton>
        </div>
      )}
      <div className={css.foot}>
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
        <p className={cx(css.note, 'warn-ink')}>
          <Icon name="warning" size={16} className={css.icon} />
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
