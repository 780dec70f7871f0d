/* 傳送測試: what each device or receiver answered, with the measured time, or why it did not arrive. */
import { useMutation } from '@tanstack/react-query'
import type { ChannelId } from '#contract/channels.ts'
import { channelMutations } from '#data/nouns/notification-setting.ts'
import { failureSentence } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { CHANNEL_WORDS } from '#text/notification.ts'
import { latency } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import css from './SelfTest.module.css'

export function SelfTest({ channel }: { channel: ChannelId }) {
  const test = useMutation(channelMutations.test())
  const results = test.data ?? []
  return (
    <section aria-label="傳送測試" className={css.root}>
      <Refused text={test.error && failureSentence(test.error)} />
      <div className={css.key}>
        <Button icon="send" busy={test.isPending} onClick={() => test.mutate(channel)}>
          傳送測試
        </Button>
      </div>
      <div role="status">
        {results.map(({ delivered, reason, milliseconds, device_label }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two devices may have one name, and the list does not change
          <p key={at} className={css.line}>
            <Icon
              name={delivered ? 'check' : 'warning'}
              size={18}
              className={delivered ? 'good-ink' : 'warn-ink'}
            />
            <span className="sp">
              {device_label ?? CHANNEL_WORDS[channel]}：
              {delivered ? '已送達' : (reason ?? '沒有送到，對方沒有說原因')}
            </span>
            {delivered && milliseconds !== null && <span className="num ink3">{latency(milliseconds)}</span>}
          </p>
        ))}
        {test.isSuccess && results.length === 0 && (
          <p className={css.line}>這個通道還沒有裝置或帳號可以測試。</p>
        )}
      </div>
    </section>
  )
}
