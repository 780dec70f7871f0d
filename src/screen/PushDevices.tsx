/* The devices that take pushes, this one among them; what is not one's own any more is taken out. */

import { useMutation, useQuery } from '@tanstack/react-query'
import type { PushSubscription } from '#contract/notification.ts'
import { pushMutations, pushQueries } from '#data/nouns/push.ts'
import { failureText } from '#text/errors.ts'
import { joined } from '#text/joined.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { DeviceRow, DeviceRows } from './DeviceRows.tsx'
import { failureSentence } from './failure.ts'
import css from './PushDevices.module.css'
import { toast } from './toast.ts'

/** `empty` what is said when there is none. */
export function PushDevices({ empty }: { empty: string }) {
  const { data, error, isPending, isFetching, refetch } = useQuery(pushQueries.devices())
  if (data)
    return data.length > 0 ? (
      <DeviceRows>
        {data.map((one) => (
          <Device key={one.id} one={one} />
        ))}
      </DeviceRows>
    ) : (
      <p className={css.none}>{empty}</p>
    )
  if (isPending && !error) return <DeviceRows />
  return (
    <FailState row title="讀不到收推播的裝置" onRetry={() => void refetch()} busy={isFetching}>
      {failureSentence(error)}
    </FailState>
  )
}

function Device({ one }: { one: PushSubscription }) {
  const { id, device_label, last_ok_at, state, created_at, is_this_session } = one
  const remove = useMutation({
    ...pushMutations.remove(),
    onSuccess: () => toast({ title: joined(device_label, '不再收推播'), icon: 'check' }),
    onError: (failure) =>
      toast({ title: '這支裝置還在', description: failureText(failure), variant: 'destructive' }),
  })
  return (
    <DeviceRow
      label={device_label}
      here={is_this_session}
      note={
        state === 'gone'
          ? '推播服務說這支裝置已不在，請在它上面再打開一次'
          : last_ok_at
            ? `最後成功 ${when(last_ok_at, serverNow())}`
            : `${when(created_at, serverNow())} 打開，還沒有送過`
      }
    >
      <Button
        size="s"
        busy={remove.isPending}
        onClick={() => remove.mutate({ id })}
        label={joined(device_label, '不再收推播')}
      >
        移除
      </Button>
    </DeviceRow>
  )
}
