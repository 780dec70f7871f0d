// /403: 「為什麼不行？」 names the missing permission, who has it, and the way to another identity (ruling A5).
import { useSnapshot } from 'valtio'
import { auth } from '#state/session.ts'
import { PERMISSION_WORDS } from '#text/errors.ts'
import { NAV } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { useGo } from './go.ts'
import { isSignedIn } from './guard.ts'
import { Lone } from './Lone.tsx'
import { useIdentityName, useProfile } from './profile.ts'
import { switchIdentity } from './switch.ts'

/** `missing` a permission's name as it stands in the address. */
export function ForbiddenPage({ missing }: { missing: string | undefined }) {
  const { go } = useGo()
  const signed_in = isSignedIn()
  return (
    <Lone
      title="目前的身份不能開這一頁"
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
      {signed_in ? <Why missing={missing} /> : <p>先登入，再回到這一頁。</p>}
    </Lone>
  )
}

function Why({ missing }: { missing: string | undefined }) {
  const { org_id } = useSnapshot(auth)
  const { profile } = useProfile()
  const name = useIdentityName()
  const who = org_id === null ? name : `你在「${name}」的身份`
  const words = missing === undefined ? undefined : PERMISSION_WORDS[missing]
  const others = [{ id: null, name: '個人身份' }, ...(profile?.organizations ?? [])].filter(
    ({ id }) => id !== org_id,
  )
  return (
    <>
      <p>
        {words
          ? `這一頁需要「${words}」的權限，${who}沒有。要開通，請找組織的管理者，或切換到有權限的身份。`
          : '換一個有權限的身份，或請組織的管理者開通。'}
      </p>
      {others.length > 0 && (
        <fieldset className="lone-others">
          <legend>{NAV.switch_identity}</legend>
          {others.map(({ id, name }) => (
            <Button key={id ?? 'personal'} onClick={() => switchIdentity(id)}>
              {name}
            </Button>
          ))}
        </fieldset>
      )}
    </>
  )
}
