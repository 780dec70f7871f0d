// The picture: chosen, shown, taken away.
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, useRef } from 'react'
import { updateProfile, uploadAvatar } from '#contract/profile.ts'
import { useData } from '#features/shell/data.tsx'
import { QUEUED_WORDS } from '#features/shell/outbox.ts'
import { toast } from '#features/shell/toast.ts'
import { failureText } from '#text/errors.ts'
import { PROFILE } from '#text/spec.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { Button } from '#ui/Button.tsx'
import { putProfile } from './put.ts'
import { shrink } from './shrink.ts'

/** `name` as privacy mode shows it. */
export function AvatarEditor({ name, src }: { name: string; src: string | null }) {
  const data = useData()
  const input = useRef<HTMLInputElement>(null)
  const told = {
    onSuccess: ({ avatar }: { avatar: string | null }) => {
      putProfile(data, { avatar })
      toast({ title: PROFILE.updated, icon: 'check' as const })
    },
    onError: (error: unknown) =>
      toast({
        title: PROFILE.update_failed,
        description: failureText(error),
        variant: 'destructive' as const,
      }),
  }
  const upload = useMutation({
    mutationFn: async (file: File) => data.client.call(uploadAvatar, { image: await shrink(file) }),
    ...told,
  })
  const remove = useMutation({
    mutationFn: () =>
      data.outbox.send(updateProfile, { avatar: null }, { label: '移除頭像', base: { avatar: src } }),
    onSuccess: ({ queued }) =>
      toast(queued ? { title: QUEUED_WORDS, icon: 'offline' } : { title: PROFILE.updated, icon: 'check' }),
    onError: told.onError,
  })
  function chosen(event: ChangeEvent<HTMLInputElement>) {
    const file = event.target.files?.[0]
    // the same file may be chosen again after a failure
    event.target.value = ''
    if (file) upload.mutate(file)
  }
  const busy = upload.isPending || remove.isPending
  return (
    <div className="row gap12 avatar-row">
      <Avatar name={name} src={src} size={64} />
      <span className="sp avatar-keys">
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          className="vh"
          tabIndex={-1}
          aria-hidden="true"
          data-testid="avatar-file"
          onChange={chosen}
        />
        <Button
          size="s"
          icon="upload"
          busy={upload.isPending}
          disabled={remove.isPending}
          onClick={() => input.current?.click()}
        >
          {src ? '更換頭像' : '上傳頭像'}
        </Button>
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
