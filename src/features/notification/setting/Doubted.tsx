/* A chat that gives no links to sign in any more: which one, and the key that says it is mine. */
import { useMutation } from '@tanstack/react-query'
import type { NotificationChannel } from '#contract/notification.ts'
import { channelMutations } from '#data/nouns/notification-setting.ts'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'
import { joined } from '#text/joined.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'

/** Nothing while every chat is known to be the person's. */
export function Doubted({ config }: Pick<NotificationChannel, 'config'>) {
  const trust = useMutation({
    ...channelMutations.confirm('telegram'),
    onSuccess: () => toast({ title: '已恢復登入連結', icon: 'check' }),
    onError: (error) =>
      toast({
        title: '登入連結還是關著',
        description: failureSentence(error),
        variant: 'destructive',
      }),
  })
  return (config.doubted ?? []).map(({ id, name }) => (
    <Banner
      key={id}
      tone="warn"
      icon="lock"
      action={
        <Button size="s" busy={trust.isPending && trust.variables === id} onClick={() => trust.mutate(id)}>
          是我，恢復
        </Button>
      }
    >
      {joined(
        name ?? '這個聊天',
        '的登入連結先關著：綁定它的登入已結束，或密碼變更過。通知照送；不是你的聊天就解除綁定。',
      )}
    </Banner>
  ))
}
