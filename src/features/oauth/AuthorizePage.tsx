// /auth/oauth/authorize: who asks, for what, as whom; nothing is given before 同意.

import { useQuery } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { ASKING_LIFE_S } from '#contract/limits.ts'
import { oauthQueries } from '#data/nouns/account.ts'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { Button } from '#ui/Button.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { Gate } from '#ui/Gate.tsx'
import { Bone } from '#ui/Skeleton.tsx'
import css from './AuthorizePage.module.css'
import { Consent } from './Consent.tsx'

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
