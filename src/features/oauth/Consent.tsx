// The question itself: every scope in words, most of them to be left out; 拒絕 is as easy as 同意.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Interaction, OauthScope } from '#contract/oauth.ts'
import { oauthMutations } from '#data/nouns/account.ts'
import { useData } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked } from '#screen/profile.ts'
import { Refused } from '#screen/Refused.tsx'
import { SCOPES } from '#text/account.ts'
import { Button } from '#ui/Button.tsx'
import { Gate } from '#ui/Gate.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Mark } from '#ui/Mark.tsx'
import { Avatar } from '#ui/Tag.tsx'
import css from './Consent.module.css'
import { ScopeRow } from './ScopeRow.tsx'

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
      <p className={css.where}>
        <Icon name="external" size={16} className={css.sign} />
        <span>
          完成後會回到 <b>{returns_to}</b>
        </span>
      </p>
      <div className={css.as}>
        <Avatar name={cover(account.name)} size={40} />
        <span className={`sp ${css.account}`}>
          <b>{cover(account.name)}</b>
          <small>{cover(account.email)}</small>
        </span>
        <Button size="s" kind="ghost" plain disabled={busy} onClick={() => void switchAccount()}>
          切換帳號
        </Button>
      </div>
      <fieldset className={css.scopes} disabled={busy}>
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
      <ul className={css.notes}>
        <li>
          <Icon name="lock" size={16} className={css.sign} />
          看不到你的密碼，也不能改帳號與策略
        </li>
        <li>
          <Icon name="refresh" size={16} className={css.sign} />
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
        <img className={css.logo} src={client.logo} alt="" />
      ) : (
        <Avatar name={client.name} size={48} />
      )}
      <Icon name="swap" size={20} className="ink3" />
      <Mark size={40} label="凌波" />
    </>
  )
}
