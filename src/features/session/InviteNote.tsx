// Whose invitation waits behind the sign-in (ruling A8): the organization of ?invite= in the address that one returns to.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '#contract/errors.ts'
import type { InvitePreview } from '#contract/join.ts'
import { ROLE_NAMES, type Role } from '#contract/permissions.ts'
import { invitationQueries } from '#data/nouns/organization.ts'
import { Icon } from '#ui/Icon.tsx'
import { Avatar } from '#ui/Tag.tsx'
import css from './LoginFrame.module.css'

/** The invitation whose link led here: its code proves the mailbox, and one password is enough (ruling C44). */
export interface Invited {
  code: string
  email: string
}

const OVER: Record<Exclude<InvitePreview['state'], 'open'>, string> = {
  expired: '這份邀請已過期，請組織的管理者再邀請一次。',
  used_up: '這份邀請的名額已用完，請洽組織的管理者。',
  disabled: '這份邀請已撤回，請向組織的管理者確認。',
  answered: '這份邀請已經回覆過了。已經加入的話，登入就看得到組織。',
}
const invited = (role: Role) => `邀請你成為${ROLE_NAMES[role]}。`
const SAID: Record<InvitePreview['kind'], (role: Role) => string> = {
  email: invited,
  link: invited,
  join_code: () => '你輸入了它的加入碼。',
}
const STOPPED = '這個邀請已停用，請向組織的管理者確認。'
const UNKNOWN = '找不到這份邀請。連結或加入碼可能不完整，或已經換成新的，請向組織的管理者確認。'

/** Its room while it is not known; why it is no good any more, before somebody signs in or registers for it. */
export function InviteNote({
  code,
  onInvited,
}: {
  code: string
  /** Told whom the mail was for, as long as the invitation can be answered. */
  onInvited: (invited: Invited | null) => void
}) {
  const { data, error, isPending } = useQuery(invitationQueries.behind(code))
  const email = data?.state === 'open' ? data.email : null
  useEffect(() => onInvited(email === null ? null : { code, email }), [code, email, onInvited])
  if (isPending) return <div className={css.room} />
  if (!data) return <Word>{isUnknown(error) ? UNKNOWN : '現在讀不到這份邀請，登入後會再讀一次。'}</Word>
  const { kind, organization, role, state, requires_review } = data
  return (
    <section
      className={state === 'open' ? css.InviteNote : `${css.InviteNote} ${css.InviteNoteOver}`}
      aria-label="邀請"
    >
      <Avatar
        name={organization.name}
        src={organization.logo}
        size={40}
        dim={state !== 'open'}
        className={css.InviteNoteFace}
      />
      <div className="sp">
        <b>{organization.name}</b>
        {state === 'open' ? (
          <p className="t13 ink2">
            {SAID[kind](role)}
            {email
              ? '用收到邀請的信箱登入，就能接受；還沒有帳號，註冊只要姓名和一個密碼。'
              : requires_review
                ? '登入後送出申請，由組織的管理者審核；還沒有帳號，先註冊一個。'
                : '登入後就能加入；還沒有帳號，先註冊一個。'}
          </p>
        ) : (
          <p className="t13">{kind !== 'email' && state === 'disabled' ? STOPPED : OVER[state]}</p>
        )}
      </div>
      {state !== 'open' && <Icon name="warning" size={20} className={css.InviteNoteSign} />}
    </section>
  )
}

function Word({ children }: { children: string }) {
  return (
    <section className={`${css.InviteNote} ${css.InviteNoteOver}`} aria-label="邀請">
      <Icon name="warning" size={20} className={css.InviteNoteSign} />
      <p className="t13">{children}</p>
    </section>
  )
}

/** A code of another form, or one that names nothing. */
function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && [4040, 4220].includes(error.code)
}
