// Where this account is signed in, and ending what one does not recognise.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Grant } from '#contract/oauth.ts'
import type { Session } from '#contract/session.ts'
import { oauthMutations, oauthQueries } from '#data/nouns/account.ts'
import { sessionMutations, sessionQueries } from '#data/nouns/session.ts'
import { Ask } from '#screen/Ask.tsx'
import { failureSentence } from '#screen/failure.ts'
import { DeviceRow, DeviceRows } from '#screen/PushDevices.tsx'
import { toast } from '#screen/toast.ts'
import { SCOPES } from '#text/account.ts'
import { failureText } from '#text/errors.ts'
import { joined } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { when, ymd } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { Bone } from '#ui/Skeleton.tsx'
import { Avatar } from '#ui/Tag.tsx'
import { PasswordDialog, usePassword } from './PasswordForm.tsx'
import css from './ProfilePage.module.css'

/** So many stand there at first: this device, then the latest ones. */
const AT_FIRST = 5

export function SessionsCard({ has_password }: { has_password: boolean }) {
  const { data, isPending, error, refetch, isFetching } = useQuery(sessionQueries.list())
  const [all, setAll] = useState(false)
  const sessions = data && [...data].sort((a, b) => Number(b.current) - Number(a.current))
  return (
    <Card title="登入中的裝置" {...(sessions && { count: sessions.length })} flush>
      {sessions ? (
        <DeviceRows>
          {sessions.slice(0, all ? sessions.length : AT_FIRST).map((session) => (
            <SessionRow key={session.id} session={session} has_password={has_password} />
          ))}
          {!all && sessions.length > AT_FIRST && (
            <li>
              <Button kind="ghost" size="s" onClick={() => setAll(true)}>
                看另外 {sessions.length - AT_FIRST} 個
              </Button>
            </li>
          )}
        </DeviceRows>
      ) : isPending && !error ? (
        <DeviceRows />
      ) : (
        <FailState row title="讀不到登入中的裝置" onRetry={() => void refetch()} busy={isFetching}>
          {failureSentence(error)}
        </FailState>
      )}
    </Card>
  )
}

function SessionRow({ session, has_password }: { session: Session; has_password: boolean }) {
  const end = useMutation({
    ...sessionMutations.end(),
    onSuccess: () => toast({ title: '已結束這個登入', description: session.device_label, icon: 'check' }),
    onError: (failure) =>
      toast({ title: '這個登入還沒結束', description: failureText(failure), variant: 'destructive' }),
  })
  return (
    <DeviceRow
      label={session.device_label}
      note={`最近使用 ${when(session.last_seen_at, serverNow())}，到 ${ymd(session.ends_at)} 為止`}
      here={session.current}
    >
      {session.current ? (
        <Prolong session={session} has_password={has_password} />
      ) : (
        <Button
          size="s"
          busy={end.isPending}
          onClick={() => end.mutate({ id: session.id })}
          label={joined('結束', session.device_label, '的登入')}
        >
          結束
        </Button>
      )}
    </DeviceRow>
  )
}

/** Also opened by the address that the announcement of the end leads to (?renew=, the session's id). */
function Prolong({ session, has_password }: { session: Session; has_password: boolean }) {
  const { renew, ...rest } = useSearch({ from: '/_shell/profile' })
  const navigate = useNavigate()
  const ask = (id?: string) =>
    void navigate({ to: '/profile', search: { ...rest, ...(id && { renew: id }) }, replace: true })
  return (
    <>
      <Button size="s" onClick={() => ask(session.id)} label="延長這支裝置的登入">
        延長
      </Button>
      {renew === session.id && (
        <ProlongDialog has_password={has_password} ends_at={session.ends_at} onClose={() => ask()} />
      )}
    </>
  )
}

// The end of this device's session begins anew: the password once more, and everything stays where it is.

interface ProlongDialogProps {
  has_password: boolean
  ends_at: string
  onClose: () => void
}

export function ProlongDialog({ has_password, ends_at, onClose }: ProlongDialogProps) {
  const state = usePassword(async (typed) => {
    const longer = await sessionMutations.prolong().mutationFn(typed)
    toast({ title: `登入延長到 ${ymd(longer.ends_at)}`, icon: 'check' })
    onClose()
  })
  return (
    <PasswordDialog
      {...state}
      verb="延長登入"
      icon="clock"
      has_password={has_password}
      then="回來延長"
      onClose={onClose}
    >
      <p>這支裝置的登入到 {ymd(ends_at)} 為止。延長後從今天重新算起，離線資料與還沒送出的都留著。</p>
    </PasswordDialog>
  )
}

// 連線的應用程式: what one has let others do, and taking it back.

export function ConnectedAppsCard() {
  const { data: grants, isPending, error, refetch, isFetching } = useQuery(oauthQueries.grants())
  return (
    <Card title="連線的應用程式" {...(grants?.length && { count: grants.length })} flush>
      {grants?.length === 0 ? (
        <p className={css.ConnectedAppsCardNone}>沒有別的應用程式能存取你的帳號。</p>
      ) : grants ? (
        <ul className={css.ConnectedAppsCard}>
          {grants.map((grant) => (
            <AppRow key={grant.id} grant={grant} />
          ))}
        </ul>
      ) : isPending && !error ? (
        <ul className={css.ConnectedAppsCard} aria-busy="true">
          <li>
            <Bone className={css.ConnectedAppsCardWaiting} />
          </li>
        </ul>
      ) : (
        <FailState row title="讀不到連線的應用程式" onRetry={() => void refetch()} busy={isFetching}>
          {failureSentence(error)}
        </FailState>
      )}
    </Card>
  )
}

function AppRow({ grant: { id, client, scopes, since } }: { grant: Grant }) {
  const [asking, setAsking] = useState(false)
  return (
    <li>
      {client.logo ? (
        <img className={css.ConnectedAppsCardLogo} src={client.logo} alt="" />
      ) : (
        <Avatar name={client.name} size={32} />
      )}
      <span className={`sp ${css.ConnectedAppsCardWhat}`}>
        <b>{client.name}</b>
        <small>{scopes.map((scope) => SCOPES[scope].title).join('、')}</small>
        <small>自 {when(since, serverNow())}</small>
      </span>
      <Button size="s" onClick={() => setAsking(true)} label={`收回 ${client.name} 的存取`}>
        收回
      </Button>
      {asking && (
        <Ask
          title={`收回「${client.name}」的存取`}
          verb="收回存取"
          icon="link"
          mutation={oauthMutations.revoke()}
          input={{ id }}
          done={{ title: `已收回「${client.name}」的存取` }}
          safe="它還有存取權，"
          onClose={() => setAsking(false)}
        >
          <p>它立刻不能再讀取或送出任何東西；要再使用，得重新經過你的同意。已經送出的訊號不受影響。</p>
        </Ask>
      )}
    </li>
  )
}
