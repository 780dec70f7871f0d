// /403: 「為什麼不行？」 names the missing permission, who has it, and the way to another identity (ruling A5).
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { PERMISSIONS, type Permission } from '#contract/permissions.ts'
import { useGo } from '#screen/go.ts'
import { isSignedIn, refused } from '#screen/guard.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked, useAskedProfile, useMay, useProfile } from '#screen/profile.ts'
import { switchIdentity } from '#screen/switch.ts'
import { useWhy } from '#screen/why.ts'
import { auth } from '#state/session.ts'
import { NAV } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import css from './AppError.module.css'
import { Lone } from './AppError.tsx'

/** `missing` a permission's name as it stands in the address. */
export function ForbiddenPage({ missing }: { missing: string | undefined }) {
  const { go } = useGo()
  const signed_in = isSignedIn()
  return (
    <Lone
      framed
      title={signed_in ? '目前的身份不能開這一頁' : '還沒有登入'}
      action={
        signed_in ? (
          <Button kind="filled" {...go('/dashboard')}>
            回到首頁
          </Button>
        ) : (
          <Button kind="filled" {...go('/login')}>
            登入
          </Button>
        )
      }
    >
      {signed_in ? (
        <Why missing={missing} />
      ) : (
        <p>能開哪些頁，要看登入後的身份。登入後，再開一次要去的那一頁。</p>
      )}
    </Lone>
  )
}

function Why({ missing }: { missing: string | undefined }) {
  useAskedProfile()
  const known = PERMISSIONS.find((permission) => permission === missing)
  return known ? <Known permission={known} /> : <Unknown />
}

/** Names the permission, who can give it, and the identities that have it. */
function Known({ permission }: { permission: Permission }) {
  const { reason, grantors, others } = useWhy(permission)
  useGrantedMeanwhile(permission)
  return (
    <>
      <p key={reason}>{reason}</p>
      {grantors === null && (
        <p className={css.ForbiddenPageGrant}>要開通，請找組織的管理者；名單連線後會列在這裡。</p>
      )}
      {grantors !== null && grantors.length > 0 && (
        <p className={css.ForbiddenPageGrant}>
          要開通，請找管理者：
          {grantors.map((grantor, at) => (
            <span key={grantor} className={css.ForbiddenPageName}>
              {grantor}
              {at < grantors.length - 1 ? '、' : '。'}
            </span>
          ))}
        </p>
      )}
      <Others others={others} />
    </>
  )
}

/** The same identity may now what it was refused a moment ago: the page that was asked for stands there after all. */
function useGrantedMeanwhile(permission: Permission): void {
  const { open } = useGo()
  const { org_id } = useSnapshot(auth)
  const granted = useMay(permission) && refused.permission === permission && refused.org_id === org_id
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is granted
  useEffect(() => {
    if (granted) open(refused.page, true)
  }, [granted])
}

function Unknown() {
  const { org_id } = useSnapshot(auth)
  const { profile } = useProfile()
  const privacy = usePrivacy()
  const organizations = (profile?.organizations ?? []).map(({ id, name }) => ({
    id,
    name: privacy.on ? masked(name) : name,
  }))
  const others = [{ id: null, name: '個人身份' }, ...organizations]
  return (
    <>
      <p>換一個有權限的身份，或請組織的管理者開通。</p>
      <Others others={others.filter(({ id }) => id !== org_id)} />
    </>
  )
}

function Others({ others }: { others: readonly { id: string | null; name: string }[] }) {
  if (others.length === 0) return null
  return (
    <fieldset className={css.ForbiddenPageOthers}>
      <legend>{NAV.switch_identity}</legend>
      {others.map(({ id, name }) => (
        <Button key={id ?? 'personal'} long onClick={() => switchIdentity(id)}>
          {name}
        </Button>
      ))}
    </fieldset>
  )
}
