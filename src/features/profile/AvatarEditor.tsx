// The picture: chosen, shown, taken away.
import { useMutation } from '@tanstack/react-query'
import { AVATAR_PX } from '#contract/limits.ts'
import { accountMutations } from '#data/nouns/account.ts'
import { putProfile } from '#data/nouns/profile.ts'
import { QUEUED_WORDS } from '#screen/outbox.ts'
import { toast } from '#screen/toast.ts'
import { failureText } from '#text/errors.ts'
import { PROFILE } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { ImageButton } from '#ui/FileButton.tsx'
import { shrink } from '#ui/shrink.ts'
import { Avatar } from '#ui/Tag.tsx'
import css from './AvatarEditor.module.css'

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
    <div className={`row gap12 ${css.avatarRow}`}>
      <Avatar name={name} src={src} size={64} />
      <span className={`sp ${css.avatarKeys}`}>
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
