/* 移除網址: asks first, because what goes there ends at once. */
import { useState } from 'react'
import type { AddressedChannel } from '#contract/channels.ts'
import { channelMutations } from '#data/nouns/notification-setting.ts'
import { Ask } from '#screen/Ask.tsx'
import { joined } from '#text/joined.ts'
import { CHANNEL_WORDS } from '#text/notification.ts'
import { Button } from '#ui/Button.tsx'

export function Remove({ channel }: { channel: AddressedChannel }) {
  const address = joined(CHANNEL_WORDS[channel], '的網址')
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button kind="danger" icon="trash" onClick={() => setAsking(true)}>
        移除
      </Button>
      {asking && (
        <Ask
          title={`${joined('移除', address)}？`}
          verb="移除"
          mutation={channelMutations.remove()}
          input={{ channel }}
          done={{ title: joined('已移除', address) }}
          safe="網址還在，"
          onClose={() => setAsking(false)}
        >
          <p>之後的訊號不再送到那裡，簽章密鑰也會作廢。</p>
        </Ask>
      )}
    </>
  )
}
