// Whose invitation waits behind the sign-in (ruling A8): the organization of ?invite= in the address that one returns to.
import { useQuery } from '@tanstack/react-query'
import { invitationQueries } from '#data/invitation.ts'
import { Avatar } from '#ui/Avatar.tsx'
import './invite-note.css'

/** Nothing while it is not known, and nothing for a code that names no invitation: the page behind says why. */
export function InviteNote({ code }: { code: string }) {
  const { data } = useQuery(invitationQueries.behind(code))
  if (data?.state !== 'open') return null
  const { organization, role, email_masked } = data
  return (
    <section className="invite-note" aria-label="邀請">
      <Avatar name={organization.name} src={organization.logo} size={40} />
      <div className="sp">
        <b>{organization.name}</b>
        <p className="t13 ink2">
          邀請你成為{role === 'admin' ? '管理者' : '成員'}。
          {email_masked ? `用 ${email_masked} 登入或註冊，就能接受。` : '登入後就能接受。'}
        </p>
      </div>
    </section>
  )
}
