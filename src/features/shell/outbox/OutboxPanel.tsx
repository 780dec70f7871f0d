// 待送匣: what this device still has to send, over any page (?panel=outbox).
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { OutboxRow } from '#contract/outbox.ts'
import { getData } from '#data/current.ts'
import { outboxQueries } from '#data/nouns/waiting.ts'
import { prefs } from '#screen/device.ts'
import { useGo } from '#screen/go.ts'
import { correcting, correctionHref, useOutbox } from '#screen/outbox.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked, useMay, useProfile } from '#screen/profile.ts'
import { preferences } from '#state/preferences.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { OutboxItem } from './OutboxItem.tsx'
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
