// My notification setting with what waits laid over it, and the one way to change it: at once, also offline.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { NotificationSetting } from '#contract/notification.ts'
import type { Strategy } from '#contract/strategy.ts'
import {
  coveredValues,
  type SettingChanges,
  settingMutations,
  settingQueries,
  settingWithPending,
} from '#data/nouns/notification-setting.ts'
import { strategyQueries, strategyWithPending } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { QUEUED_WORDS, useOutbox } from '#screen/outbox.ts'
import { useIdentityName, useProfile } from '#screen/profile.ts'
import { toast } from '#screen/toast.ts'
import { auth } from '#state/session.ts'

/** Changes fields by their paths; `label` names them where they wait: 勿擾時段. */
export type ChangeSetting = (changes: SettingChanges, label: string) => void
/** What every card of the setting takes. */
export interface SettingCard {
  setting: NotificationSetting
  change: ChangeSetting
}

export function useSetting() {
  const asked = useQuery(settingQueries.mine())
  const { data, dataUpdatedAt } = asked
  const outbox = useOutbox()
  const setting = useMemo(
    () => data && settingWithPending(data, outbox, dataUpdatedAt),
    [data, outbox, dataUpdatedAt],
  )
  const covered = useMemo(() => (setting ? coveredValues(outbox, setting) : []), [outbox, setting])
  const save = useMutation({
    ...settingMutations.change(),
    onSuccess: ({ queued }) => queued && toast({ title: QUEUED_WORDS, icon: 'offline' }),
    onError: (error) =>
      toast({
        title: '通知設定沒有改成',
        description: failureSentence(error, '設定維持原樣，'),
        variant: 'destructive',
      }),
  })
  const { mutate } = save
  const change: ChangeSetting = (changes, label) => {
    if (setting) mutate({ changes, label: `通知設定：${label}`, known: setting })
  }
  return { asked, setting, covered, change }
}

// The strategies of the current identity with how I am told of each: what waits laid over it; searched here, beyond a page on the server.

const PAGE = 100
/** From so many on there is a box to search in. */
const SEARCH_FROM = 8

const speaksOf = ({ name, tags }: Strategy, word: string) =>
  [name, ...tags].some((text) => text.toLowerCase().includes(word))

/** One of them by its id; one that no list holds is asked for by itself. `id` null: none. */
export function useListedStrategy(id: string | null, strategies: readonly Strategy[]) {
  const ctx = useCtx()
  const outbox = useOutbox()
  const listed = strategies.find((one) => one.id === id)
  const asked = useQuery({ ...strategyQueries.one(ctx, id ?? ''), enabled: id !== null && !listed })
  const own =
    asked.data && id !== null ? strategyWithPending(asked.data, outbox, asked.dataUpdatedAt) : undefined
  return { strategy: listed ?? own, asked }
}

export function useStrategies() {
  const ctx = useCtx()
  const { org_id } = useSnapshot(auth)
  const { profile } = useProfile()
  const name = useIdentityName()
  const outbox = useOutbox()
  const [typed, setTyped] = useState('')
  const word = useDeferredValue(typed).trim().toLowerCase()
  const list = useQuery(strategyQueries.list(ctx, { page_size: PAGE }))
  const total = list.data?.total ?? 0
  const asks = word !== '' && total > PAGE
  const found = useQuery({
    ...strategyQueries.list(ctx, { page_size: PAGE, search: word }),
    enabled: asks,
  })
  const shown = asks ? (found.data ?? list.data) : list.data
  const at = (asks && found.data ? found : list).dataUpdatedAt
  const all = (shown?.items ?? []).map((one) => strategyWithPending(one, outbox, at))
  const strategies = all
    .filter((one) => (asks && found.data) || speaksOf(one, word))
    // by name: in the list's own order, the newest signal first, a switch would move from under a finger
    .sort((a, b) => a.name.localeCompare(b.name, 'zh-Hant-TW'))
  const mine = [{ id: null, name: '個人身份' }, ...(profile?.organizations ?? [])]
  return {
    name,
    strategies,
    /** Also those that the box leaves out. */
    all,
    total,
    /** There are more than are listed. */
    more: (shown?.total ?? 0) > (shown?.items.length ?? 0),
    list,
    box: total >= SEARCH_FROM || typed ? { value: typed, onChange: setTyped } : null,
    /** Their strategies are asked for in their name only. */
    others: mine.filter(({ id }) => id !== org_id).map(({ id, name }) => ({ id: id ?? 'personal', name })),
  }
}
