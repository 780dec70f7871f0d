/* The invitation of the address (?invite=CODE): which organization, what accepting means, or why it is no good any more. */

import { useQuery } from '@tanstack/react-query'
import type { InvitePreview } from '#contract/join.ts'
import { invitationQueries } from '#data/nouns/invitation.ts'
import { codeOf, failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { useProfile } from '#screen/profile.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { Bone } from '#ui/Skeleton.tsx'
import { CardKeys } from '../parts/CardKeys.tsx'
import { Introduction } from '../parts/Introduction.tsx'
import { OrganizationCard } from '../parts/OrganizationCard.tsx'
import { OrganizationHead } from '../parts/OrganizationHead.tsx'
import { usePeople } from '../parts/people.ts'
import { ROLE_WORDS } from '../parts/words.ts'
import { Answer } from './Answer.tsx'
import css from './InviteBehind.module.css'
import { JoinBehind } from './JoinBehind.tsx'
import { signInAsOther, useAnswer } from './use-answer.ts'

const OVER: Record<Exclude<InvitePreview['state'], 'open'>, string> = {
  expired: '這份邀請已過期，請管理者再邀請一次。',
  used_up: '這份邀請的名額已用完，請洽組織的管理者。',
  disabled: '這份邀請已撤回，請向組織的管理者確認。',
  answered: '這份邀請已經回覆過了。加入的組織在下面。',
}

export function InviteBehind({ code }: { code: string }) {
  const { open } = useGo()
  const { data, error, isFetching, refetch } = useQuery(invitationQueries.behind(code))
  const close = () => open('/my-organizations', true)
  if (data && data.kind !== 'email')
    return <JoinBehind preview={data} kind={data.kind} code={code} onClose={close} />
  if (data) return <Behind preview={data} code={code} onClose={close} />
  if (!error)
    return (
      <OrganizationCard as="div" role="status" label="邀請載入中">
        <Bone className={css.sk} />
      </OrganizationCard>
    )
  // a code of another form, or one that names nothing
  const unknown = [4040, 4220].includes(codeOf(error) ?? 0)
  return (
    <FailState
      card
      title={unknown ? '找不到這份邀請' : '讀不到這份邀請'}
      busy={isFetching}
      {...(!unknown && { onRetry: () => void refetch() })}
      action={
        <Button size="s" onClick={close}>
          關閉
        </Button>
      }
    >
      {unknown ? unknownWords(code) : failureSentence(error)}
    </FailState>
  )
}

/** A join code is typed, everything else is pressed. */
function unknownWords(code: string): string {
  return code.length < 16
    ? `沒有加入碼「${code}」。請和組織的管理者核對一次，也可能已經換成新的。`
    : '連結可能不完整或已經換成新的，請再點一次，或請管理者重新邀請。'
}

function Behind({ preview, code, onClose }: { preview: InvitePreview; code: string; onClose: () => void }) {
  const { cover } = usePeople()
  const { profile } = useProfile()
  const { open } = useGo()
  const { organization, role, state, email, email_masked } = preview
  const name = cover(organization.name)
  const answer = useAnswer(name, code)
  /** Whom it is for, when that is somebody else: told before anything is pressed. */
  const other = email !== null && profile && profile.email !== email ? email : null
  return (
    <OrganizationCard invites label={`${name}的邀請`}>
      <OrganizationHead name={name} logo={organization.logo}>
        <p className="t13 ink2">
          邀請你成為{ROLE_WORDS[role]}
          {email_masked && `，寄給 ${cover(email_masked)}`}
        </p>
      </OrganizationHead>
      {organization.introduction && <Introduction text={organization.introduction} />}
      {state !== 'open' && answer.busy === null ? (
        <Banner tone="warn" icon="info" onClose={onClose}>
          {OVER[state]}
        </Banner>
      ) : other !== null ? (
        <>
          <Banner tone="warn" icon="mail">
            這份邀請寄給 <b>{cover(other)}</b>，你現在登入的是 {cover(profile?.email ?? '')}
            ：只有收到邀請的那個帳號能回覆。
          </Banner>
          <CardKeys>
            <Button kind="filled" icon="swap" onClick={() => signInAsOther(open, code)}>
              換成受邀的帳號
            </Button>
            <Button onClick={onClose}>關閉</Button>
          </CardKeys>
        </>
      ) : (
        <>
          <p className="t13 ink3">
            {role === 'admin'
              ? '接受後你可以管理這個組織的成員、策略與設定。'
              : '接受後，管理者看得到你的姓名與電子郵件；你看得到分享給你的策略與訊號。隨時可以離開。'}
          </p>
          <Answer answer={answer} />
        </>
      )}
    </OrganizationCard>
  )
}
