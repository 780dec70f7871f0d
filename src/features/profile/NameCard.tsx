// 基本資料: the picture, and the name, seen as it is until 編輯 is pressed; privacy mode covers it here, too.

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { AVATAR_PX } from '#contract/limits.ts'
import { updateName } from '#contract/profile.ts'
import { accountMutations } from '#data/nouns/account.ts'
import { putProfile } from '#data/nouns/profile.ts'
import { isMyName, NAMING } from '#data/nouns/waiting.ts'
import { useDirtyForm } from '#screen/dirty.ts'
import { correcting, QUEUED_WORDS, useWaiting } from '#screen/outbox.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { useProfile } from '#screen/profile.ts'
import { toast } from '#screen/toast.ts'
import { failureText } from '#text/errors.ts'
import { PROFILE } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ImageButton } from '#ui/FileButton.tsx'
import { StateWord } from '#ui/nouns/Delta.tsx'
import { Switch } from '#ui/Switch.tsx'
import { shrink } from '#ui/shrink.ts'
import { Avatar } from '#ui/Tag.tsx'
import { TextField } from '#ui/TextField.tsx'
import css from './ProfilePage.module.css'

export function NameCard({ name, avatar }: { name: string; avatar: string | null }) {
  const privacy = usePrivacy()
  const { shown_name } = useProfile()
  const [draft, setDraft] = useState<string | null>(null)
  const [error, setError] = useState('')
  useDirtyForm(draft !== null && draft.trim() !== name)
  const save = useMutation({
    ...accountMutations.name(name),
    onSuccess: ({ queued }) => {
      setDraft(null)
      toast(queued ? { title: QUEUED_WORDS, icon: 'offline' } : { title: PROFILE.updated, icon: 'check' })
    },
    onError: (failure) => {
      const text = failureText(failure)
      setError(text)
      toast({ title: PROFILE.update_failed, description: text, variant: 'destructive' })
    },
  })
  const waiting = useWaiting(NAMING)
  // from 待送匣: what was refused comes back to be corrected
  const { row } = useSnapshot(correcting)
  useEffect(() => {
    if (!row || !isMyName(row)) return
    setDraft(String(row.body['name'] ?? ''))
    setError(row.last_text ?? '')
    correcting.row = null
  }, [row])
  function submit(event: FormEvent) {
    event.preventDefault()
    const checked = updateName.input.safeParse({ name: draft })
    if (!checked.success) return setError(checked.error.issues[0]?.message ?? '')
    if (checked.data.name === name) return setDraft(null)
    if (!save.isPending) save.mutate(checked.data.name)
  }
  return (
    <Card title="基本資料" pad>
      <AvatarEditor name={shown_name} src={avatar} />
      <hr className={css.NameCardLine} />
      {draft === null ? (
        <div className="row gap12">
          <span className="sp">
            <small className="ink3">姓名</small>
            <b className={css.NameCardName}>{shown_name}</b>
          </span>
          {waiting && <StateWord text="待送出" icon="tray" tone="wait" />}
          <Button size="s" onClick={() => setDraft(name)}>
            編輯
          </Button>
        </div>
      ) : (
        <form onSubmit={submit} noValidate className={css.PasswordFormForm}>
          <TextField
            label="姓名"
            value={draft}
            onChange={(value) => {
              setDraft(value)
              setError('')
            }}
            error={error || undefined}
            autoComplete="name"
            maxLength={60}
            counter
          />
          <div className={`row gap8 ${css.PasswordFormEnd}`}>
            <Button
              onClick={() => {
                setDraft(null)
                setError('')
              }}
            >
              取消
            </Button>
            <Button type="submit" kind="filled" busy={save.isPending}>
              儲存
            </Button>
          </div>
        </form>
      )}
      <hr className={css.NameCardLine} />
      <Switch
        label="隱私模式"
        note="姓名與信箱換成星號，金額遮起來；旁邊有人時用"
        checked={privacy.on}
        onChange={privacy.set}
      />
    </Card>
  )
}

// The picture: chosen, shown, taken away.

/** `name` as privacy mode shows it. */
export function AvatarEditor({ name, src }: { name: string; src: string | null }) {
  const told = {
    onSuccess: ({ avatar }: { avatar: string | null }) => {
      putProfile({ avatar })
      toast({ title: PROFILE.updated, icon: 'check' as const })
    },
    onError: (error: unknown) =>
      toast({
        title: PROFILE.update_failed,
        description: failureText(error),
        variant: 'destructive' as const,
      }),
  }
  const upload = useMutation({ ...accountMutations.avatar(), ...told })
  const remove = useMutation({
    ...accountMutations.removeAvatar(src),
    onSuccess: ({ queued }) =>
      toast(queued ? { title: QUEUED_WORDS, icon: 'offline' } : { title: PROFILE.updated, icon: 'check' }),
    onError: told.onError,
  })
  const busy = upload.isPending || remove.isPending
  return (
    <div className={`row gap12 ${css.AvatarEditorAvatarRow}`}>
      <Avatar name={name} src={src} size={64} />
      <span className={`sp ${css.AvatarEditorAvatarActions}`}>
        <ImageButton
          testId="avatar-file"
          busy={upload.isPending}
          disabled={remove.isPending}
          onFile={(file) => upload.mutate(shrink(file, { max_px: AVATAR_PX, square: true }))}
        >
          {src ? '更換頭像' : '上傳頭像'}
        </ImageButton>
        {src && (
          <Button
            size="s"
            kind="ghost"
            busy={remove.isPending}
            disabled={busy && !remove.isPending}
            onClick={() => remove.mutate()}
          >
            移除頭像
          </Button>
        )}
        <small className="ink3">PNG、JPEG 或 WebP，會裁成正方形</small>
      </span>
    </div>
  )
}
