/* Why a channel did not work last time; of a program that said it takes no more, the key that tries it again. */
import { useMutation } from '@tanstack/react-query'
import type { NotificationChannel } from '#contract/notification.ts'
import { channelMutations } from '#data/nouns/notification-setting.ts'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'
import { closed } from '#text/delivery.ts'
import { joined } from '#text/joined.ts'
import { CHANNEL_WORDS } from '#text/notification.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { isStopped } from './channel.ts'

/** Nothing while all is well. */
export function LastFault({ one }: { one: NotificationChannel }) {
  const { channel, state, reason } = one
  const again = useMutation({
    ...channelMutations.update(),
    onSuccess: () => toast({ title: joined('已重新啟用', CHANNEL_WORDS[channel]), icon: 'check' }),
    onError: (error) =>
      toast({ title: '還沒有重新啟用', description: failureSentence(error), variant: 'destructive' }),
  })
  if (!reason || state === 'bound') return null
  const stopped = channel === 'webhook' && isStopped(one)
  return (
    <Banner
      tone="warn"
      icon="warning"
      action={
        stopped && (
          <Button size="s" busy={again.isPending} onClick={() => again.mutate({ channel })}>
            重新啟用
          </Button>
        )
      }
    >
      {closed(reason)}
      {stopped && '你的程式準備好以後，重新啟用就會再送，網址與密鑰不變。'}
    </Banner>
  )
}
