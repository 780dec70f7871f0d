/* 移除網址: asks first, because what goes there ends at once. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { AddressedChannel } from '#contract/channels.ts'
import { channelMutations } from '#data/nouns/notification-channel.ts'
import { failureSentence } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { CHANNEL_WORDS } from '#text/notification.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'

export function Remove({ channel }: { channel: AddressedChannel }) {
  const [asking, setAsking] = useState(false)
  const remove = useMutation({
    ...channelMutations.remove(),
    onSuccess: () => {
      setAsking(false)
      toast({ title: `已移除 ${CHANNEL_WORDS[channel]} 的網址`, icon: 'check' })
    },
  })
  return (
    <>
      <Button kind="danger" icon="trash" onClick={() => setAsking(true)}>
        移除
      </Button>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`移除 ${CHANNEL_WORDS[channel]} 的網址？`}
        icon="trash"
        danger
        actions={
          <>
            <Button firstFocus onClick={() => setAsking(false)}>
              取消
            </Button>
            <Button
              kind="danger"
              icon="trash"
              busy={remove.isPending}
              onClick={() => remove.mutate({ channel })}
            >
              移除
            </Button>
          </>
        }
      >
        <p>之後的訊號不再送到那裡，簽章密鑰也會作廢。</p>
        <Refused text={remove.error && failureSentence(remove.error)} />
      </Dialog>
    </>
  )
}
