// My notification setting with what waits laid over it, and the one way to change it: at once, also offline.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { NotificationSetting } from '#contract/notification.ts'
import {
  coveredValues,
  laySetting,
  type SettingChanges,
  settingMutations,
  settingQueries,
} from '#data/nouns/notification-setting.ts'
import { failureSentence } from '#screen/failure.ts'
import { QUEUED_WORDS, useOutbox } from '#screen/outbox.ts'
import { toast } from '#screen/toast.ts'

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
    () => data && laySetting(data, outbox, dataUpdatedAt),
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
