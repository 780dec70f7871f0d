/* Discord and outgoing webhooks: the address, which strategies go there, and the secret that signs, shown once. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { AddressedChannel, ChannelId } from '#contract/channels.ts'
import type { NotificationChannel } from '#contract/notification.ts'
import { channelMutations } from '#data/nouns/notification-setting.ts'
import { failureSentence, refusedFields } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { joined } from '#text/joined.ts'
import { CHANNEL_WORDS } from '#text/notification.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { TextField } from '#ui/TextField.tsx'
import css from './Address.module.css'
import { isStopped } from './channel.ts'
import { Remove } from './Remove.tsx'

interface FieldWords {
  readonly label: string
  readonly other: string
  readonly placeholder: string
  readonly hint: string
}
const FIELD: Partial<Record<ChannelId, FieldWords>> = {
  discord: {
    label: 'Discord Webhook 網址',
    other: '換成另一個 Discord Webhook 網址',
    placeholder: 'https://discord.com/api/webhooks/…',
    hint: '頻道設定 → 整合 → Webhook → 複製 Webhook 網址',
  },
  webhook: {
    label: '你的程式的網址',
    other: '換成另一個程式網址',
    placeholder: 'https://example.com/signals',
    hint: '只收 https 的網址；你的程式回成功才算送到。簽章的驗法寫在使用說明。',
  },
}
const fieldOf = (channel: AddressedChannel): FieldWords =>
  FIELD[channel] ?? {
    label: `${CHANNEL_WORDS[channel]} Webhook 網址`,
    other: `換成另一個 ${CHANNEL_WORDS[channel]} Webhook 網址`,
    placeholder: 'https://…',
    hint: `在 ${CHANNEL_WORDS[channel]} 裡建立 Webhook，複製它的網址`,
  }

export function Address({ channel, one }: { channel: AddressedChannel; one: NotificationChannel }) {
  const set = one.state !== 'off' || isStopped(one)
  const [address, setAddress] = useState('')
  const [secret, setSecret] = useState<string | null>(null)
  const save = useMutation({
    ...channelMutations.update(),
    onSuccess: (saved, { rotate }) => {
      setAddress('')
      setSecret(saved.secret ?? null)
      toast({
        title: rotate ? '已換成新的密鑰' : joined('已存好', CHANNEL_WORDS[channel], '的網址'),
        icon: 'check',
      })
    },
  })
  const field = refusedFields(save.error)?.['address']
  const rotated = save.variables?.rotate === true
  const { label, other, placeholder, hint } = fieldOf(channel)
  return (
    <section className={css.root} aria-label={label}>
      {secret && (
        <Banner tone="info" icon="lock" onClose={() => setSecret(null)}>
          簽章密鑰只顯示這一次，請現在存進你的程式。{rotated && '舊的再用一天，這一天兩個簽章都會附上。'}
        </Banner>
      )}
      {secret && <CodeBlock code={secret} label="簽章密鑰" copy="複製密鑰" wrap clear />}
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (address.trim()) save.mutate({ channel, address: address.trim() })
        }}
      >
        <TextField
          label={set ? other : label}
          value={address}
          onChange={setAddress}
          inputMode="url"
          autoComplete="off"
          placeholder={placeholder}
          hint={hint}
          error={field}
        />
        <Refused text={save.error && !field && failureSentence(save.error)} />
        <div className="row gap8 wrap">
          <Button type="submit" kind="filled" disabled={!address.trim()} busy={save.isPending && !rotated}>
            {set ? '換網址' : '存網址'}
          </Button>
          {set && channel === 'webhook' && (
            <Button
              icon="refresh"
              busy={save.isPending && rotated}
              onClick={() => save.mutate({ channel, rotate: true })}
            >
              換新的密鑰
            </Button>
          )}
          {set && <Remove channel={channel} />}
        </div>
      </form>
    </section>
  )
}
