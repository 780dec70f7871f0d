/* One invitation: to whom, as what, where it stands; 再寄一次 waits out its minute. Where no mail is sent, its link to copy. */
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Invite } from '#contract/join.ts'
import { invitationMutations } from '#data/nouns/invitation.ts'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'
import { ymd } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Tag } from '#ui/Tag.tsx'
import { ListRow } from '../parts/ListRow.tsx'
import { usePeople } from '../parts/people.ts'
import { RowKeys } from '../parts/RowKeys.tsx'
import { TwoLines } from '../parts/TwoLines.tsx'
import { INVITE_WORDS, ROLE_WORDS } from '../parts/words.ts'
import { HAND_OVER, useInFolder } from './use-in-folder.ts'
import { useOrganization } from './use-place.ts'

/** Whole seconds until the instant, counting down; 0 when it is past. */
function useWait(until: string): number {
  const left = () => Math.max(0, Math.ceil((Date.parse(until) - serverNow()) / 1000))
  const [now, setNow] = useState(left)
  useEffect(() => {
    const count = () => Math.max(0, Math.ceil((Date.parse(until) - serverNow()) / 1000))
    setNow(count())
    if (count() === 0) return
    const timer = setInterval(() => {
      setNow(count())
      if (count() === 0) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [until])
  return now
}

export function InviteRow({ invite, onCancel }: { invite: Invite; onCancel: () => void }) {
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  const wait = useWait(invite.resend_after)
  const in_folder = useInFolder()
  const email = cover(invite.email)
  const state = INVITE_WORDS[invite.status]
  const again = useMutation(invitationMutations.resend(ctx))
  const verb = in_folder ? '重新邀請' : '再寄一次'
  const open = invite.status === 'pending' || invite.status === 'expired'
  const send = () =>
    again.mutate(
      { id, invite_id: invite.id },
      {
        onSuccess: () =>
          toast({
            title: in_folder ? '連結可以用了' : '已再寄一次',
            description: in_folder ? HAND_OVER : email,
            icon: 'check',
          }),
        onError: (error) =>
          toast({
            title: in_folder ? '沒有拿到連結' : '沒有寄出',
            description: failureSentence(error),
            variant: 'destructive',
          }),
      },
    )
  return (
    <ListRow wraps>
      <TwoLines className="sp">
        <b className="el" title={email}>
          {email}
        </b>
        <small className="num">
          {ROLE_WORDS[invite.role]} · {invite.expires_on ? `到 ${ymd(invite.expires_on)}` : '沒有期限'} ·{' '}
          {cover(invite.invited_by.name)} {invite.url ? '邀請於' : '寄於'} {when(invite.sent_at, serverNow())}
          {invite.send_count > 1 && `，第 ${invite.send_count} 次`}
          {invite.status === 'pending' && `，有效到 ${when(invite.valid_until, serverNow())}`}
        </small>
      </TwoLines>
      <Tag tone={state.tone} icon={state.icon}>
        {state.text}
      </Tag>
      {open && (
        <RowKeys>
          {invite.url ? (
            <CopyButton size="s" kind="tint" text={invite.url} label={`複製給 ${email} 的連結`}>
              複製連結
            </CopyButton>
          ) : (
            <Button
              size="s"
              kind="soft"
              busy={again.isPending}
              disabled={wait > 0}
              onClick={send}
              label={wait > 0 ? `${wait} 秒後可以再寄給 ${email}` : `${verb}給 ${email}`}
            >
              {wait > 0 ? <span className="num">{wait} 秒後再寄</span> : verb}
            </Button>
          )}
          <IconButton icon="close" size={18} label={`撤回給 ${email} 的邀請`} onClick={onCancel} />
        </RowKeys>
      )}
    </ListRow>
  )
}
