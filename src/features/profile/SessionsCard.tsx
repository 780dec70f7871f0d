// Where this account is signed in, and ending what one does not recognise.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Session } from '#contract/session.ts'
import { sessionMutations, sessionQueries } from '#data/nouns/session.ts'
import { failureSentence } from '#screen/failure.ts'
import { DeviceRow, DeviceRows } from '#screen/PushDevices.tsx'
import { toast } from '#screen/toast.ts'
import { failureText } from '#text/errors.ts'
import { joined } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { when, ymd } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { ProlongDialog } from './ProlongDialog.tsx'

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
