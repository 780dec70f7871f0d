// /403: 「為什麼不行？」 names the missing permission and what to do about it.

import { PERMISSION_WORDS } from '#text/errors.ts'
import { Button } from '#ui/Button.tsx'
import { useGo } from './go.ts'
import { isSignedIn } from './guard.ts'
import { Lone } from './Lone.tsx'
import { useIdentityName } from './profile.ts'

/** `missing` a permission's name as it stands in the address. */
export function ForbiddenPage({ missing }: { missing: string | undefined }) {
  const { go } = useGo()
  const who = useIdentityName()
  const signed_in = isSignedIn()
  const words = missing === undefined ? undefined : PERMISSION_WORDS[missing]
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
      {signed_in && words ? (
        <p>
          這一頁需要「{words}」的權限，{who}沒有。要開通，請找組織的管理者，或切換到有權限的身份。
        </p>
      ) : (
        <p>{signed_in ? '換一個有權限的身份，或請組織的管理者開通。' : '先登入，再回到這一頁。'}</p>
      )}
    </Lone>
  )
}
