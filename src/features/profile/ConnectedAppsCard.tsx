// 連線的應用程式: what one has let others do, and taking it back.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Grant } from '#contract/oauth.ts'
import { oauthMutations, oauthQueries } from '#data/nouns/account.ts'
import { Ask } from '#screen/Ask.tsx'
import { failureSentence } from '#screen/failure.ts'
import { SCOPES } from '#text/account.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { Bone } from '#ui/Skeleton.tsx'
import { Avatar } from '#ui/Tag.tsx'
import css from './ConnectedAppsCard.module.css'

export function ConnectedAppsCard() {
  const { data: grants, isPending, error, refetch, isFetching } = useQuery(oauthQueries.grants())
  return (
    <Card title="連線的應用程式" {...(grants?.length && { count: grants.length })} flush>
      {grants?.length === 0 ? (
        <p className={css.none}>沒有別的應用程式能存取你的帳號。</p>
      ) : grants ? (
        <ul className={css.root}>
          {grants.map((grant) => (
            <AppRow key={grant.id} grant={grant} />
          ))}
        </ul>
      ) : isPending && !error ? (
        <ul className={css.root} aria-busy="true">
          <li>
            <Bone className={css.waiting} />
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
        <img className={css.logo} src={client.logo} alt="" />
      ) : (
        <Avatar name={client.name} size={32} />
      )}
      <span className={`sp ${css.what}`}>
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
