/* 邀請: the ways in: links, the code, and the mails that were sent, where each stands, send again, take back. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import type { OutputOf } from '#contract/endpoint.ts'
import { type createInvites, INVITE_STATES, type Invite } from '#contract/join.ts'
import { INVITE_LIFE_S } from '#contract/limits.ts'
import type { Organization } from '#contract/organization.ts'
import type { Role } from '#contract/permissions.ts'
import { invitationMutations, invitationQueries } from '#data/nouns/organization.ts'
import { Ask } from '#screen/Ask.tsx'
import { failureSentence, refusal } from '#screen/failure.ts'
import { useLeaveSheet } from '#screen/LeaveForm.tsx'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { ymd } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Sides } from '#ui/Card.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import type { IconName } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { Tag, type TagTone } from '#ui/Tag.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { JoinCodeCard, LinksCard } from './LinksCard.tsx'
import { GroupChecks, newPeriodErrors, PeriodFields, RoleField } from './MemberFields.tsx'
import css from './OrganizationManagePage.module.css'
import { Bar, Fields, HAND_OVER, ListRow, RowActions, TwoLines, useInFolder, usePeople } from './Parts.tsx'
import { NothingOf, PAGE, StateChips, TabList, useOrganization, usePlace, useStatus } from './TabList.tsx'
import { addressesIn, INVITE_WORDS, ROLE_WORDS, today } from './words.ts'

export function InvitesTab({ organization }: { organization: Organization }) {
  const { id, ctx } = useOrganization()
  const { page } = usePlace()
  const [inviting, setInviting] = useState(false)
  const [cancelling, setCancelling] = useState<Invite | null>(null)
  const status = useStatus(INVITE_STATES)
  const in_folder = useInFolder()
  const list = useQuery(invitationQueries.sent(ctx, id, { page, page_size: PAGE, ...(status && { status }) }))
  const none = status === undefined && list.data?.total === 0
  const write = (
    <Button kind="filled" icon="mail" onClick={() => setInviting(true)}>
      {in_folder ? '邀請成員' : '寄出邀請'}
    </Button>
  )
  return (
    <>
      <div className={css.InvitesTabWays}>
        <Sides>
          <LinksCard />
          <JoinCodeCard organization={organization} />
        </Sides>
      </div>
      <h2 className={css.InvitesTabMails}>{in_folder ? '個別邀請' : '邀請信'}</h2>
      {!none && <Bar chips={<StateChips states={INVITE_STATES} words={INVITE_WORDS} />} action={write} />}
      <TabList
        query={list}
        title="讀不到邀請"
        counter="份"
        empty={
          none ? (
            <EmptyState card title="還沒有寄過邀請" action={write}>
              {in_folder
                ? '填上成員的電子郵件，每個人有自己的連結，由你傳給對方。'
                : '貼上成員的電子郵件，每個人會收到一封信，從信裡的連結加入。'}
            </EmptyState>
          ) : (
            status && <NothingOf state={INVITE_WORDS[status].text} what="邀請" />
          )
        }
      >
        {(items) => (
          <ul className="card flush">
            {items.map((invite) => (
              <InviteRow key={invite.id} invite={invite} onCancel={() => setCancelling(invite)} />
            ))}
          </ul>
        )}
      </TabList>
      {inviting && <InviteSheet onClose={() => setInviting(false)} />}
      {cancelling && <CancelInvite invite={cancelling} onClose={() => setCancelling(null)} />}
    </>
  )
}

/* One invitation: to whom, as what, where it stands; 再寄一次 waits out its minute. Where no mail is sent, its link to copy. */

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
        <RowActions>
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
        </RowActions>
      )}
    </ListRow>
  )
}

/* Taking an invitation back: the link in the mail stops working. */

export function CancelInvite({ invite, onClose }: { invite: Invite; onClose: () => void }) {
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  return (
    <Ask
      title="撤回邀請"
      verb="撤回"
      icon="close"
      mutation={invitationMutations.cancel(ctx)}
      input={{ id, invite_id: invite.id }}
      done={{ title: '已撤回邀請', description: cover(invite.email) }}
      safe="邀請還在，"
      onClose={onClose}
    >
      <p>寄給 {cover(invite.email)} 的連結立刻失效。之後可以再寄一份新的。</p>
    </Ask>
  )
}

/* Inviting by mail: up to fifty addresses at once, as what, into which groups, until when; then what became of each. */

const MOST = 50

function check(values: { emails: string }): Record<string, string> {
  const { length } = addressesIn(values.emails)
  if (length === 0) return { emails: '請輸入至少一個電子郵件' }
  return length > MOST ? { emails: `一次最多 ${MOST} 個，現在有 ${length} 個，請分批寄` } : {}
}

/** Called with nothing when it is done. */
export function InviteSheet({ onClose }: { onClose: () => void }) {
  const { id, ctx } = useOrganization()
  const sheet = useId()
  const [role, setRole] = useState<Role>('member')
  const [group_ids, setGroups] = useState<readonly string[]>([])
  const [ends_on, setEnd] = useState('')
  const [results, setResults] = useState<OutputOf<typeof createInvites> | null>(null)
  const in_folder = useInFolder()
  const invite = useMutation(invitationMutations.create(ctx))
  const { values, errors, failure, busy, field, form } = useForm({
    initial: { emails: '' },
    check: (typed) => ({ ...check(typed), ...newPeriodErrors({ starts_on: today(), ends_on }) }),
    send: async ({ emails }, reset) => {
      setResults(
        await invite.mutateAsync({
          id,
          emails: addressesIn(emails),
          role,
          group_ids: role === 'admin' ? [] : [...group_ids],
          expires_on: ends_on || null,
        }),
      )
      reset()
    },
    refused: (error) => refusal(error, '沒有寄出任何邀請，內容都還在，', ['emails']),
  })
  const emails = addressesIn(values.emails)
  const holds = values.emails !== '' && results === null
  const { leave, question } = useLeaveSheet(holds, onClose)

  if (results)
    return (
      <InviteResults
        results={results}
        in_folder={in_folder}
        onClose={onClose}
        onAgain={() => setResults(null)}
      />
    )
  return (
    <Sheet
      open
      onClose={leave}
      sticky={holds}
      title="邀請成員"
      foot={
        <>
          <Button onClick={leave}>取消</Button>
          <Button kind="filled" icon={in_folder ? 'link' : 'mail'} type="submit" form={sheet} busy={busy}>
            {in_folder
              ? emails.length > 1
                ? `建立 ${emails.length} 份邀請`
                : '建立邀請'
              : emails.length > 1
                ? `寄出 ${emails.length} 份邀請`
                : '寄出邀請'}
          </Button>
        </>
      }
    >
      <form id={sheet} {...form}>
        <Fields>
          <TextField
            label="電子郵件"
            rows={4}
            {...field('emails')}
            autoComplete="off"
            inputMode="email"
            placeholder={'yian@example.com\nshihhan@example.com'}
            hint={
              emails.length > 0
                ? `${emails.length} 個地址`
                : `一行一個，也可以用逗號或空白分開；一次最多 ${MOST} 個`
            }
          />
          <RoleField role={role} onChange={setRole} />
          {role === 'member' && <GroupChecks what="joining" chosen={group_ids} onChange={setGroups} />}
          <PeriodFields
            only_end
            errors={errors}
            days={{ starts_on: '', ends_on }}
            onChange={(changes) => setEnd(changes.ends_on ?? '')}
          />
          <Refused text={failure} />
        </Fields>
      </form>
      {question}
    </Sheet>
  )
}

/* What became of each address after inviting. */

type Results = OutputOf<typeof createInvites>
const WORDS: Record<Results[number]['result'], { text: string; tone: TagTone; icon: IconName }> = {
  sent: { text: '已寄出', tone: 'good', icon: 'check' },
  already_member: { text: '已是成員', tone: 'neutral', icon: 'info' },
  already_invited: { text: '已邀請過', tone: 'neutral', icon: 'clock' },
  invalid: { text: '格式不正確', tone: 'danger', icon: 'warning' },
}

const LIFE = `連結 ${INVITE_LIFE_S / 86_400} 天內有效`

/** `in_folder`: this server sends no mail, so the admin copies each link and passes it on. */
export function InviteResults({
  results,
  in_folder,
  onClose,
  onAgain,
}: {
  results: Results
  in_folder: boolean
  onClose: () => void
  onAgain: () => void
}) {
  const { cover } = usePeople()
  const sent = results.filter(({ result }) => result === 'sent').length
  return (
    <Sheet
      open
      onClose={onClose}
      title={
        sent > 0
          ? `${in_folder ? '已建立' : '已寄出'} ${sent} 份邀請`
          : in_folder
            ? '沒有新的邀請'
            : '沒有寄出邀請'
      }
      subtitle={
        sent > 0
          ? in_folder
            ? `${HAND_OVER}${LIFE}。`
            : `${LIFE}；沒收到的話，一分鐘後可以再寄一次。`
          : in_folder
            ? '這些地址都不需要，或格式不正確。'
            : '這些地址都不需要，或不能寄。'
      }
      foot={
        <>
          <Button onClick={onAgain}>再邀請其他人</Button>
          <Button kind="filled" onClick={onClose} firstFocus>
            完成
          </Button>
        </>
      }
    >
      <ul>
        {results.map(({ email, result, invite }) => (
          <li key={email} className={css.InviteResultsResult}>
            <span className="sp el">{cover(email)}</span>
            {(result !== 'sent' || !invite?.url) && (
              <Tag tone={WORDS[result].tone} icon={WORDS[result].icon}>
                {WORDS[result].text}
              </Tag>
            )}
            {invite?.url && (
              <CopyButton size="s" kind="tint" text={invite.url} label={`複製給 ${cover(email)} 的連結`}>
                複製連結
              </CopyButton>
            )}
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
