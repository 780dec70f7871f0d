// 待送匣: what this device still has to send, over any page (?panel=outbox).

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { OutboxRow, OutboxState } from '#contract/outbox.ts'
import { getData } from '#data/current.ts'
import { outboxQueries } from '#data/nouns/waiting.ts'
import type { Outbox } from '#data/outbox/store.ts'
import { prefs } from '#screen/device.ts'
import { useGo } from '#screen/go.ts'
import { correcting, correctionHref, useOutbox } from '#screen/outbox.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked, useMay, useProfile } from '#screen/profile.ts'
import { toast } from '#screen/toast.ts'
import { preferences } from '#state/preferences.ts'
import { failureText } from '#text/errors.ts'
import { ago, lasting } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import type { IconName } from '#ui/Icon.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { StateWord } from '#ui/nouns/Delta.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import css from './OutboxPanel.module.css'

/** Late is worse than none: short unless somebody wants it longer. */
const LASTS = [
  { value: '120000', label: '2 分鐘' },
  { value: '600000', label: '10 分鐘' },
  { value: '3600000', label: '1 小時' },
  { value: '86400000', label: '24 小時' },
]
/** Ages are counted anew so often. */
const TICK_MS = 10_000

export function OutboxPanel({ onClose }: { onClose: () => void }) {
  const { rows } = useOutbox()
  const { profile } = useProfile()
  const privacy = usePrivacy()
  const may_send = useMay('strategy:edit')
  const { signal_lasts_ms } = useSnapshot(preferences)
  const { open } = useGo()
  const [now, setNow] = useState(() => getData().now())
  useEffect(() => {
    const timer = setInterval(() => setNow(getData().now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const { data: foreign = 0 } = useQuery(outboxQueries.ofOthers())
  const nameOf = ({ org_id }: OutboxRow) => {
    if (org_id === null) return '個人身份'
    const name = profile?.organizations.find(({ id }) => id === org_id)?.name
    if (name === undefined) return '已離開的組織'
    return privacy.on ? masked(name) : name
  }
  const correct = (row: OutboxRow) => {
    const place = correctionHref(row)
    if (row.state !== 'failed' || place === undefined) return undefined
    return () => {
      correcting.row = row
      open(place)
    }
  }
  return (
    <Sheet
      open
      onClose={onClose}
      title="待送匣"
      subtitle={rows.length > 0 ? `${rows.length} 筆存在這支裝置，還沒送到伺服器` : undefined}
    >
      {rows.length === 0 ? (
        <EmptyState title="沒有等待送出的內容">離線時的修改會先存在這裡，連上網路後自動送出。</EmptyState>
      ) : (
        <ul className={css.list}>
          {rows.map((row, at) => (
            <OutboxItem
              key={row.seq}
              row={row}
              now={now}
              identity={nameOf(row)}
              behind={rows
                .slice(0, at)
                .some(({ lane, state }) => lane === row.lane && /^(failed|needs_)/.test(state))}
              onCorrect={correct(row)}
            />
          ))}
        </ul>
      )}
      {foreign > 0 && (
        <p className={`t13 ink3 ${css.note}`}>
          另有 {foreign} 筆屬於另一個帳號，那個帳號在這支裝置登入後才會送出。
        </p>
      )}
      {may_send && (
        <div className={css.note}>
          <SelectField
            label="手動訊號自動送出的時限"
            value={String(signal_lasts_ms)}
            onChange={(ms) => prefs.set_signal_lasts(Number(ms))}
            options={LASTS}
            hint="過了時限的訊號不會自己送出，會先問你。只在這支裝置。"
          />
        </div>
      )}
      {rows.length > 0 && (
        <p className={`t13 ink3 ${css.note}`}>iPhone 與 iPad 只在打開凌波時送出；其他裝置連上網路就會送。</p>
      )}
    </Sheet>
  )
}

// One waiting call: what, since when, in whose name, its state, and what can be done with it.

/** `behind`: an earlier one of its lane stands still; `identity` the name it was made in; `onCorrect` opens its place with the values. */
export function OutboxItem({
  row,
  behind,
  identity,
  now,
  onCorrect,
}: {
  row: OutboxRow
  behind: boolean
  identity: string
  now: number
  onCorrect?: (() => void) | undefined
}) {
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const look = STATE_LOOKS[row.state]
  const reason = reasonOf(row, behind, now)
  const act = async (work: (outbox: Outbox) => Promise<boolean>) => {
    setBusy(true)
    try {
      if (!(await work(await getData().outbox.open())))
        toast({ title: '這一筆正在送出', description: '送到之後就不能取消了。', icon: 'info' })
    } catch (error) {
      toast({ title: '沒有改成', description: failureText(error), variant: 'destructive' })
    }
    setBusy(false)
  }
  const retry = () => void act((outbox) => outbox.retry(row.key))
  const cancel = () => void act((outbox) => outbox.cancel(row.key))
  const decides = row.state === 'needs_confirm'
  return (
    <li className={css.OutboxItem}>
      <div className={css.OutboxItemHead}>
        <b className="sp">{row.label}</b>
        <StateWord text={look.word} icon={look.icon} tone={look.tone} className={css.OutboxItemState} />
      </div>
      <p className="t13 ink3">
        {identity} · <time dateTime={row.created_at}>{ago(row.created_at, now)}</time>
      </p>
      {reason && <p className="t13 ink2">{reason}</p>}
      {asking ? (
        <div className={css.OutboxItemActions}>
          <span className="sp t13">{decides ? '放棄' : '取消'}後不會送出，畫面回到原來的樣子。</span>
          <Button size="s" onClick={() => setAsking(false)}>
            留著
          </Button>
          <Button size="s" kind="danger" busy={busy} onClick={cancel}>
            {decides ? '放棄' : '確定取消'}
          </Button>
        </div>
      ) : (
        row.state !== 'sending' && (
          <div className={css.OutboxItemActions}>
            <Button size="s" kind="ghost" onClick={() => setAsking(true)}>
              {decides ? '放棄' : '取消'}
            </Button>
            {onCorrect && (
              <Button size="s" onClick={onCorrect}>
                修改後重送
              </Button>
            )}
            {!behind && (
              <Button size="s" kind="tint" busy={busy} onClick={retry}>
                {decides ? '仍要送出' : '立即重試'}
              </Button>
            )}
          </div>
        )
      )}
    </li>
  )
}

// The outbox in words: the state of a call, why it stands still, and what can be done with it.

/** wire.md §12. */
export const STATE_LOOKS: Record<
  OutboxState,
  { word: string; icon: IconName; tone: 'quiet' | 'warn' | 'danger' | 'wait' }
> = {
  waiting: { word: '等待連線', icon: 'tray', tone: 'wait' },
  sending: { word: '傳送中', icon: 'send', tone: 'wait' },
  needs_login: { word: '等待登入', icon: 'lock', tone: 'warn' },
  needs_confirm: { word: '等你決定', icon: 'clock', tone: 'warn' },
  failed: { word: '失敗', icon: 'warning', tone: 'danger' },
}

/** One line under the state: what happened, what is safe, what comes next; empty when the state says it all. `behind`: an earlier one of its lane stands still. */
export function reasonOf(row: OutboxRow, behind: boolean, now: number): string {
  const maybe_there = row.attempts > 0 && row.last_status === null
  switch (row.state) {
    case 'failed':
      return `${row.last_text ?? '伺服器沒有接受'}。內容還在這裡，沒有生效。`
    case 'needs_confirm':
      return `放了 ${lasting(now - Date.parse(row.created_at))}，沒有自動送出${maybe_there ? '；可能已送達，再送也不會重複' : ''}。`
    case 'needs_login':
      return '登入已過期，重新登入後自動送出。'
    case 'waiting':
      if (behind) return '排在前一筆後面，前一筆處理好才會送。'
      return row.last_text ? `${row.last_text}。會自動再試。` : ''
    default:
      return ''
  }
}
