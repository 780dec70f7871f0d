/* A chat that was told to be silent: until when, and the key that ends it. */
import { useMutation } from '@tanstack/react-query'
import type { NotificationChannel } from '#contract/notification.ts'
import { channelMutations } from '#data/nouns/notification-setting.ts'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { muteText } from './channel.ts'

/** Nothing while everybody is told. */
export function Muted({ config }: Pick<NotificationChannel, 'config'>) {
  const lift = useMutation({
    ...channelMutations.unmute(),
    onSuccess: () => toast({ title: '已解除靜音', icon: 'check' }),
    onError: (error) =>
      toast({ title: '還是靜音', description: failureSentence(error), variant: 'destructive' }),
  })
  const text = muteText(config)
  if (text === '') return null
  return (
    <Banner
      tone="info"
      icon="bell-off"
      action={
        <Button size="s" busy={lift.isPending} onClick={() => lift.mutate()}>
          解除靜音
        </Button>
      }
    >
      {text}，期間的通知不會補送。
    </Banner>
  )
}
