// Whose invitation waits behind the sign-in (ruling A8): the organization of ?invite= in the address that one returns to.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { invitationQueries } from '#data/invitation.ts'
import { Avatar } from '#ui/Avatar.tsx'
import './invite-note.css'
import type { Invited } from './RegisterForm.tsx'

/** Its room while it is not known, and nothing for a code that names no invitation: the page behind says why. */
export function InviteNote({
  code,
  onInvited,
}: {
  code: string
  /** Told whom the mail was for, as long as the invitation can be answered. */
  onInvited: (invited: Invited | null) => void
}) {
  const { data, isPending } = useQuery(invitationQueries.behind(code))
  const email = data?.state === 'open' ? data.email : null
  useEffect(() => onInvited(email === null ? null : { code, email }), [code, email, onInvited])
  if (isPending) return <div className="login-room" />
  if (data?.state !== 'open') return null
  const { organization, role } = data
  return (
    <section className="invite-note" aria-label="邀請">
      <Avatar name={organization.name} src={organization.logo} size={40} />
      <div className="sp">
        <b>{organization.name}</b>
        <p className="t13 ink2">
          邀請你成為{role === 'admin' ? '管理者' : '成員'}。
          {email
            ? '用收到邀請的信箱登入，就能接受；還沒有帳號，註冊只要姓名和一個密碼。'
            : '登入後就能接受。'}
        </p>
      </div>
    </section>
  )
}
