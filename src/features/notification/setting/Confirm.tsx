/* A chat came with the link: one press says that it is mine; nothing is sent there before, for a link can be photographed. */
import { useMutation } from '@tanstack/react-query'
import type { BoundChannel } from '#contract/channels.ts'
import type { ChannelBinding } from '#contract/notification.ts'
import { channelMutations } from '#data/nouns/notification-setting.ts'
import { failureSentence } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { joined } from '#text/joined.ts'
import { CHANNEL_WORDS } from '#text/notification.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'

export function Confirm({
  channel,
  waiting,
  busy,
  onAnew,
}: {
  channel: BoundChannel
  waiting: NonNullable<ChannelBinding['waiting']>
  busy: boolean
  onAnew: () => void
}) {
  const name = CHANNEL_WORDS[channel]
  const confirm = useMutation(channelMutations.confirm(channel))
  const who = waiting.name ?? `這個 ${name} 帳號`
  return (
    <>
      <Banner tone="info" icon="link">
        <b>{who}</b>
        {joined(who, '要連結你的凌波帳號，是你嗎？').slice(who.length)}
      </Banner>
      <p className="t13 ink3">按下確認之前，不會有任何內容送到那裡。</p>
      <Refused text={confirm.error && failureSentence(confirm.error)} />
      <Button kind="filled" icon="check" busy={confirm.isPending} onClick={() => confirm.mutate(waiting.id)}>
        是我，連結
      </Button>
      <Button busy={busy} onClick={onAnew}>
        不是我，換新的連結
      </Button>
    </>
  )
}
