// /auth/oauth/authorize: who asks, for what, as whom; nothing is given before 同意.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { ASKING_LIFE_S } from '#contract/limits.ts'
import type { Interaction, OauthScope } from '#contract/oauth.ts'
import { oauthMutations, oauthQueries } from '#data/nouns/account.ts'
import { useData } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked } from '#screen/profile.ts'
import { Refused } from '#screen/Refused.tsx'
import { SCOPES } from '#text/account.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { Gate } from '#ui/Gate.tsx'
import { Icon, Mark } from '#ui/Icon.tsx'
import { Bone } from '#ui/Skeleton.tsx'
import { Avatar, Tag } from '#ui/Tag.tsx'
import css from './AuthorizePage.module.css'

/** `uid` of the request, as it stands in the address. */
export function AuthorizePage({ uid }: { uid: string | undefined }) {
  const asked = useQuery({ ...oauthQueries.interaction(uid ?? ''), enabled: uid !== undefined })
  if (uid === undefined || isOver(asked.error)) return <Over />
  if (asked.data) return <Consent uid={uid} asked={asked.data} />
  if (asked.error)
    return (
      <Gate title="應用程式想存取你的凌波帳號">
        <FailState
          title="讀不到它要求了什麼"
          onRetry={() => void asked.refetch()}
          busy={asked.isFetching}
          card
        >
          在你同意之前，什麼都不會給出去。{failureSentence(asked.error)}
        </FailState>
      </Gate>
    )
  return (
    <Gate title="正在確認是誰想存取…" busy>
      <div className={css.sk}>
        {['as', 'one', 'two', 'three'].map((row) => (
          <Bone key={row} className={css.row} />
        ))}
      </div>
    </Gate>
  )
}

/** True when asking again would bring nothing: used, expired, of another browser, or no id at all. */
function isOver(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 4100 || error.code === 4040)
}

function Over() {
  const { go } = useGo()
  return (
    <Gate
      title="這個授權要求已過期或處理過了"
      actions={
        <Button kind="filled" {...go('/dashboard')}>
          回到首頁
        </Button>
      }
    >
      <p>授權要求只在 {ASKING_LIFE_S / 60} 分鐘內、提出要求的那個瀏覽器裡有效。沒有給出任何資料。</p>
      <p>還需要的話，請回到那個應用程式重新開始。</p>
    </Gate>
  )
}

// The question itself: every scope in words, most of them to be left out; 拒絕 is as easy as 同意.

export function Consent({ uid, asked }: { uid: string; asked: Interaction }) {
  const data = useData()
  const { open } = useGo()
  const { client, scopes, account, returns_to } = asked
  const privacy = usePrivacy()
  const cover = (text: string) => (privacy.on ? masked(text) : text)
  const [allowed, setAllowed] = useState<readonly OauthScope[]>(scopes)
  const [leaving, setLeaving] = useState(false)
  const decide = useMutation({
    ...oauthMutations.decide(),
    onSuccess: ({ go_to }) => {
      setLeaving(true)
      location.assign(go_to)
    },
  })
  const busy = decide.isPending || leaving
  const approving = decide.variables?.decision === 'approve'
  const answer = (decision: 'approve' | 'deny') => decide.mutate({ uid, decision, scopes: [...allowed] })

  async function switchAccount() {
    const here = `/auth/oauth/authorize?${new URLSearchParams({ interaction: uid })}`
    await data.signOut()
    open(`/login?${new URLSearchParams({ returnTo: here })}`, true)
  }
  const toggle = (scope: OauthScope, on: boolean) =>
    setAllowed(scopes.filter((one) => (one === scope ? on : allowed.includes(one))))

  return (
    <Gate
      lead={<Parties client={client} />}
      title={`「${client.name}」想存取你的凌波帳號`}
      actions={
        <>
          <Button busy={busy && !approving} disabled={busy && approving} onClick={() => answer('deny')}>
            拒絕
          </Button>
          <Button
            kind="filled"
            busy={busy && approving}
            disabled={(busy && !approving) || allowed.length === 0}
            onClick={() => answer('approve')}
          >
            同意
          </Button>
        </>
      }
    >
      <p className={css.ConsentWhere}>
        <Icon name="external" size={16} className={css.ConsentSign} />
        <span>
          完成後會回到 <b>{returns_to}</b>
        </span>
      </p>
      <div className={css.ConsentAs}>
        <Avatar name={cover(account.name)} size={40} />
        <span className={`sp ${css.ConsentAccount}`}>
          <b>{cover(account.name)}</b>
          <small>{cover(account.email)}</small>
        </span>
        <Button size="s" kind="ghost" plain disabled={busy} onClick={() => void switchAccount()}>
          切換帳號
        </Button>
      </div>
      <fieldset className={css.ConsentScopes} disabled={busy}>
        <legend>同意後，它可以</legend>
        {scopes.map((scope) => (
          <ScopeRow
            key={scope}
            {...SCOPES[scope]}
            fixed={scope === 'openid'}
            warn={scope === 'signals:write'}
            checked={allowed.includes(scope)}
            onChange={(on) => toggle(scope, on)}
          />
        ))}
      </fieldset>
      <ul className={css.ConsentNotes}>
        <li>
          <Icon name="lock" size={16} className={css.ConsentSign} />
          看不到你的密碼，也不能改帳號與策略
        </li>
        <li>
          <Icon name="refresh" size={16} className={css.ConsentSign} />
          隨時可以在「個人設定」收回
        </li>
      </ul>
      <Refused text={decide.error && `還沒有給出任何資料。${failureSentence(decide.error)}`} />
    </Gate>
  )
}

/** The application and us, with what would connect them. */
function Parties({ client }: { client: Interaction['client'] }) {
  return (
    <>
      {client.logo ? (
        <img className={css.ConsentLogo} src={client.logo} alt="" />
      ) : (
        <Avatar name={client.name} size={48} />
      )}
      <Icon name="swap" size={20} className="ink3" />
      <Mark size={40} label="凌波" />
    </>
  )
}

// One thing an application may do: its words, and whether to allow it.

/** `fixed` cannot be left out; `warn` marks what others will notice. */
export function ScopeRow({
  title,
  text,
  fixed,
  warn,
  checked,
  onChange,
}: {
  title: string
  text: string
  fixed: boolean
  warn: boolean
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  const words = (
    <span className={css.ScopeRowWords}>
      <b>
        {title}
        {warn && (
          <Tag tone="warn" icon="warning">
            會影響別人
          </Tag>
        )}
      </b>
      <small>{text}</small>
    </span>
  )
  if (!fixed)
    return <Checkbox label={words} checked={checked} onChange={onChange} className={css.ScopeRowRow} />
  return (
    <div className={css.ScopeRowRow}>
      <Icon name="check" size={20} label="一定會給" className={css.ScopeRowGiven} />
      {words}
    </div>
  )
}
