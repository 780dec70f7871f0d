/* 以加入碼加入: the eight letters; the organization behind them is shown before anything is sent. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import { type EntranceKind, type InvitePreview, joinByCode } from '#contract/join.ts'
import {
  invitationMutations,
  invitationQueries,
  joinMutations,
  joinQueries,
  organizationQueries,
} from '#data/nouns/organization.ts'
import { codeOf, failureSentence, refusal } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { useProfile } from '#screen/profile.ts'
import { Refused } from '#screen/Refused.tsx'
import { signOut } from '#screen/session.ts'
import { clearToasts, toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Banner, FailState } from '#ui/EmptyState.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { Bone } from '#ui/Skeleton.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { useArrive, useEnter } from './enter.ts'
import css from './MyOrganizationsPage.module.css'
import { CardActions, Introduction, OrganizationCard, OrganizationHead, usePeople } from './Parts.tsx'
import { ROLE_WORDS } from './words.ts'

export function JoinByCode({ onClose }: { onClose: () => void }) {
  const { open } = useGo()
  const id = useId()
  const { field, form } = useForm({
    initial: { code: '' },
    check: (typed) => fieldMessages(joinByCode.input, typed),
    send: async ({ code }) => {
      onClose()
      open(`/my-organizations?invite=${encodeURIComponent(plain(code))}`)
    },
    refused: () => ({}),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="以加入碼加入"
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" type="submit" form={id}>
            下一步
          </Button>
        </>
      }
    >
      <form id={id} {...form}>
        <TextField
          label="加入碼"
          placeholder="ABCD-EFGH"
          autoComplete="off"
          maxLength={20}
          large
          hint="管理者給你的 8 個字母與數字，大小寫都可以"
          {...field('code')}
        />
      </form>
    </Dialog>
  )
}

/** As it stands in the address. */
function plain(typed: string): string {
  const parsed = joinByCode.input.safeParse({ code: typed })
  return parsed.success ? parsed.data.code : typed
}

/* The organization behind a link or a join code: come in, or ask to; or why not now. */

const LINK_STATES: Record<Exclude<InvitePreview['state'], 'open'>, string> = {
  expired: '這個邀請連結已過期，請組織的管理者給你新的。',
  used_up: '這個邀請連結的名額已用完，請洽組織的管理者。',
  disabled: '這個邀請已停用，請向組織的管理者確認。',
  answered: '這個邀請已經用過了。',
}

const OPENED: Record<EntranceKind, string> = { link: '你打開了它的邀請連結', join_code: '你輸入了它的加入碼' }

type StandingProps = {
  preview: InvitePreview
  kind: EntranceKind
  name: string
  code: string
  onClose: () => void
}

export function JoinBehind(props: Omit<StandingProps, 'name'>) {
  const { preview, kind, code, onClose } = props
  const { cover } = usePeople()
  const { organization } = preview
  const name = cover(organization.name)
  return (
    <OrganizationCard invites label={`${name}的邀請`}>
      <OrganizationHead name={name} logo={organization.logo}>
        <p className="t13 ink2">{OPENED[kind]}</p>
      </OrganizationHead>
      {organization.introduction && <Introduction text={organization.introduction} />}
      <Standing preview={preview} kind={kind} name={name} code={code} onClose={onClose} />
    </OrganizationCard>
  )
}

/** What holds for this person, before anything is pressed. */
function Standing({ preview, kind, name, code, onClose }: StandingProps) {
  const { go } = useGo()
  const { profile } = useProfile()
  const enter = useEnter()
  const mine = useQuery(organizationQueries.mine())
  const requests = useQuery(joinQueries.mine())
  const member = mine.data?.find(({ id }) => id === preview.organization.id)
  const waits = requests.data?.some(
    (one) => one.organization.id === preview.organization.id && one.status === 'pending',
  )
  if (member && member.status !== 'expired')
    return (
      <>
        <Banner tone="good" icon="check">
          你已經是這個組織的成員。
        </Banner>
        <CardActions>
          {member.status !== 'upcoming' && (
            <Button kind="filled" onClick={() => enter.open(member.id, '/organizations/info', true)}>
              看組織
            </Button>
          )}
          <Button onClick={onClose}>關閉</Button>
        </CardActions>
      </>
    )
  if (waits)
    return (
      <Banner tone="info" icon="clock" onClose={onClose}>
        你的申請已送出，等組織的管理者審核；在下面的「我的申請」可以取消。
      </Banner>
    )
  if (preview.state !== 'open')
    return (
      <Banner tone="warn" icon="info" onClose={onClose}>
        {LINK_STATES[preview.state]}
      </Banner>
    )
  if (profile && !profile.email_verified) {
    const back = encodeURIComponent(`/my-organizations?invite=${code}`)
    return (
      <>
        <Banner tone="warn" icon="mail">
          先驗證你的電子郵件，才能加入：組織的管理者靠它認得你。驗證後會回到這個邀請。
        </Banner>
        <CardActions>
          <Button kind="filled" icon="mail" {...go(`/profile?returnTo=${back}`)}>
            去驗證
          </Button>
          <Button onClick={onClose}>關閉</Button>
        </CardActions>
      </>
    )
  }
  const review = preview.requires_review || member !== undefined
  return <Asking kind={kind} review={review} name={name} code={code} onClose={onClose} />
}

function Asking(props: {
  kind: EntranceKind
  review: boolean
  name: string
  code: string
  onClose: () => void
}) {
  const { kind, review, name, code, onClose } = props
  const { values, failure, busy, field, form } = useJoin({ kind, name, code, onDone: onClose })
  return (
    <form {...form} className="stack">
      <p className="t13 ink3">
        {review
          ? '送出後由組織的管理者審核，他們看得到你的姓名、電子郵件與這段話。通過時會通知你。'
          : '加入後，管理者看得到你的姓名與電子郵件；你看得到分享給你的策略與訊號。隨時可以離開。'}
      </p>
      {review && (
        <TextField
          label="給管理者的話（可以不寫）"
          rows={2}
          maxLength={200}
          counter
          placeholder="例如：7 月班學員 陳以安"
          {...field('message')}
          value={values.message}
        />
      )}
      <Refused text={failure} />
      <CardActions>
        <Button kind="filled" icon={review ? 'send' : 'check'} type="submit" busy={busy}>
          {review ? '送出申請' : `加入「${name}」`}
        </Button>
        <Button onClick={onClose} disabled={busy}>
          先不要
        </Button>
      </CardActions>
    </form>
  )
}

/* The invitation of the address (?invite=CODE): which organization, what accepting means, or why it is no good any more. */

const INVITE_STATES: Record<Exclude<InvitePreview['state'], 'open'>, string> = {
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
        <Bone className={css.InviteBehindSk} />
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
          {INVITE_STATES[state]}
        </Banner>
      ) : other !== null ? (
        <>
          <Banner tone="warn" icon="mail">
            這份邀請寄給 <b>{cover(other)}</b>，你現在登入的是 {cover(profile?.email ?? '')}
            ：只有收到邀請的那個帳號能回覆。
          </Banner>
          <CardActions>
            <Button kind="filled" icon="swap" onClick={() => signInAsOther(open, code)}>
              換成受邀的帳號
            </Button>
            <Button onClick={onClose}>關閉</Button>
          </CardActions>
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

/* The invitation that a notification speaks of, when it can be answered no more: said, instead of a page without it. */

export function InviteOver() {
  const { open } = useGo()
  return (
    <Banner tone="warn" icon="info" onClose={() => open('/my-organizations', true)}>
      這份邀請已經撤回、過期或回覆過了。沒有加入成的話，請組織的管理者再邀請一次。
    </Banner>
  )
}

/* The two answers to an invitation, which stay; after a refusal, why, and the one thing that helps. */

export function Answer({ answer }: { answer: ReturnType<typeof useAnswer> }) {
  const { busy, refusal, accept, decline } = answer
  return (
    <>
      {refusal && (
        <Banner tone="warn" icon="warning" urgent>
          {refusal.text}
        </Banner>
      )}
      <CardActions>
        {refusal?.help && (
          <Button kind="filled" onClick={refusal.help.run}>
            {refusal.help.label}
          </Button>
        )}
        <Button
          kind={refusal?.help ? 'outline' : 'filled'}
          icon="check"
          busy={busy === 'accept'}
          disabled={busy === 'decline'}
          onClick={accept}
        >
          接受邀請
        </Button>
        <Button busy={busy === 'decline'} disabled={busy === 'accept'} onClick={decline}>
          婉拒
        </Button>
      </CardActions>
    </>
  )
}

// Coming in by a link or a join code, or asking to; what is said afterwards.

/** `name` of the organization for the words; `onDone` closes what stands in the address. */
export function useJoin(of: { kind: EntranceKind; name: string; code: string; onDone: () => void }) {
  const { kind, name, code, onDone } = of
  const arrive = useArrive()
  const joinBy = {
    link: useMutation(joinMutations.acceptLink()),
    join_code: useMutation(joinMutations.byCode()),
  } satisfies Record<EntranceKind, unknown>
  return useForm({
    initial: { message: '' },
    check: () => ({}),
    send: async ({ message }) => {
      const input = { code, message }
      const { outcome, organization } = await joinBy[kind].mutateAsync(input)
      clearToasts()
      if (outcome === 'join_request') {
        onDone()
        toast({
          title: `已送出加入「${name}」的申請`,
          description: '管理者審核後會通知你，也可以在「我的申請」看。',
          icon: 'check',
        })
        return
      }
      await arrive(organization, name, onDone)
    },
    refused: (error) => refusal(error, '還沒有送出，', ['message']),
  })
}

// Accepting and declining an invitation, and what the refusals mean for the person.

/** Why it was refused, and the one thing that helps. */
export interface AnswerRefusal {
  text: string
  help?: { label: string; run: () => void }
}

/** `name` of the organization for the words; `code` of the invitation. */
export function useAnswer(name: string, code: string) {
  const { open } = useGo()
  const navigate = useNavigate()
  const arrive = useArrive()
  const [busy, setBusy] = useState<'accept' | 'decline' | null>(null)
  const [refusal, setRefusal] = useState<AnswerRefusal | null>(null)
  const accept = useMutation(invitationMutations.accept())
  const decline = useMutation(invitationMutations.decline())
  /** The code in the address has been used: the page is the list again. */
  const tidy = () => void navigate({ to: '/my-organizations', search: {}, replace: true })
  const refuse = (error: unknown) => setRefusal(refusalOf(error, open, code))

  async function answer(what: 'accept' | 'decline') {
    if (busy !== null) return
    setBusy(what)
    setRefusal(null)
    try {
      if (what === 'decline') {
        await decline.mutateAsync(code)
        toast({ title: `已婉拒「${name}」的邀請`, icon: 'info' })
        tidy()
        return
      }
      const { organization } = await accept.mutateAsync(code)
      clearToasts()
      await arrive(organization, name, tidy)
    } catch (error) {
      refuse(error)
    } finally {
      setBusy(null)
    }
  }
  return { busy, refusal, accept: () => void answer('accept'), decline: () => void answer('decline') }
}

/** Signs out and asks for the account that the invitation is for: the page fills in its address. */
export function signInAsOther(open: (href: string) => void, code: string): void {
  const back = encodeURIComponent(`/my-organizations?invite=${code}`)
  void signOut().then(() => open(`/login?returnTo=${back}`))
}

function refusalOf(error: unknown, open: (href: string) => void, code: string): AnswerRefusal {
  switch (codeOf(error)) {
    case 4033:
      return {
        text: '這份邀請寄給另一個電子郵件。請登出，再用收到邀請的那個帳號登入；還沒有帳號的話，用那個信箱註冊一個。',
        help: { label: '登出，換帳號', run: () => signInAsOther(open, code) },
      }
    case 4094:
      return { text: '你已經是這個組織的成員了。' }
    default:
      return { text: failureSentence(error, '還沒有回覆，') }
  }
}
