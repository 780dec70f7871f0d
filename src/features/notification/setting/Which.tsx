/* Which strategies go to an address: all, or those that are ticked. A program may follow one strategy and never hear of another. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { AddressedChannel } from '#contract/channels.ts'
import { channelMutations } from '#data/nouns/notification-setting.ts'
import { failureSentence, refusedFields } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { joined } from '#text/joined.ts'
import { CHANNEL_WORDS } from '#text/notification.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Bone } from '#ui/Skeleton.tsx'
import { SearchField } from '#ui/TextField.tsx'
import { useStrategies } from './use-strategies.ts'
import css from './Which.module.css'

const CHOICES = [
  { value: 'all', label: '全部策略' },
  { value: 'some', label: '只送選的' },
] as const

/** `stored` what the server has; null for all. Nothing is sent before 存這些策略: a program must not get half of a choice. */
export function Which({ channel, stored }: { channel: AddressedChannel; stored: readonly string[] | null }) {
  const [draft, setDraft] = useState<readonly string[] | null | undefined>()
  const save = useMutation({
    ...channelMutations.update(),
    onSuccess: () => {
      setDraft(undefined)
      toast({ title: joined('已改', CHANNEL_WORDS[channel], '送哪些策略'), icon: 'check' })
    },
  })
  const chosen = draft === undefined ? stored : draft
  const put = (strategies: readonly string[] | null) =>
    save.mutate({ channel, strategies: strategies && [...strategies] })
  const field = refusedFields(save.error)?.['strategies']
  return (
    <fieldset className={css.root}>
      <legend>哪些策略送到這裡</legend>
      <Segments
        label="哪些策略送到這裡"
        value={chosen === null ? 'all' : 'some'}
        onChange={(choice) => {
          if (choice === 'some') setDraft(stored ?? [])
          else if (stored === null) setDraft(undefined)
          else put(null)
        }}
        options={CHOICES}
        tall
        wide
      />
      {chosen !== null && <Ticks chosen={chosen} onChange={setDraft} />}
      {/* over the keys that send: a sheet says once for each form that it is offline, and here nothing is to be sent yet */}
      {(draft !== undefined || save.error) && (
        <Refused text={save.error && (field ?? failureSentence(save.error, '送哪些策略維持原樣，'))} />
      )}
      {draft !== undefined && draft !== null && (
        <div className="row gap8 wrap">
          <Button
            kind="filled"
            disabled={draft.length === 0}
            busy={save.isPending}
            onClick={() => put(draft)}
          >
            存這些策略
          </Button>
          <Button onClick={() => setDraft(undefined)}>取消</Button>
          {draft.length === 0 && <span className="t13 ink3">至少選一個</span>}
        </div>
      )}
    </fieldset>
  )
}

function Ticks({
  chosen,
  onChange,
}: {
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}) {
  const { strategies, list, box } = useStrategies()
  // of another identity, beyond the list, or deleted: kept as they are, or let go together
  const listed = new Set(list.data?.items.map(({ id }) => id).concat(strategies.map(({ id }) => id)))
  const [others] = useState(chosen)
  const unseen = list.data ? others.filter((id) => !listed.has(id)) : []
  const turn = (ids: readonly string[], on: boolean) =>
    onChange(on ? [...chosen, ...ids] : chosen.filter((one) => !ids.includes(one)))
  return (
    <div>
      {box && <SearchField label="搜尋策略" placeholder="策略名稱或標籤" {...box} />}
      {strategies.map(({ id, name }) => (
        <Checkbox
          key={id}
          className={css.one}
          label={name}
          checked={chosen.includes(id)}
          onChange={(on) => turn([id], on)}
        />
      ))}
      {unseen.length > 0 && (
        <Checkbox
          className={css.one}
          label={`另外 ${unseen.length} 個（其他身份的，或已刪除）`}
          checked={unseen.some((id) => chosen.includes(id))}
          onChange={(on) => turn(unseen, on)}
        />
      )}
      {list.isPending && !list.error && (
        <div role="status" aria-label="策略載入中">
          {chosen.map((id) => (
            <p key={id} className={css.one}>
              <Bone w={148} h={14} />
            </p>
          ))}
        </div>
      )}
      {strategies.length === 0 && !(list.isPending && !list.error) && (
        <p className={css.none} role="status">
          {list.error ? '讀不到策略，連線後再看一次。' : '沒有符合的策略。'}
        </p>
      )}
    </div>
  )
}
