// The second half: a link from the mail. Whose it is, whether it still works, and the new password.
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { profileQueries } from '#data/profile.ts'
import { failureText } from '#text/errors.ts'
import { FailState } from '#ui/FailState.tsx'
import { LinkOver } from './LinkOver.tsx'
import { NewForm } from './NewForm.tsx'

export function NewPassword({ token, onAskAgain }: { token: string; onAskAgain: () => void }) {
  const { data: found, error, refetch, isFetching } = useQuery(profileQueries.reset(token))
  if (found) return <NewForm token={token} email_masked={found.email_masked} onAskAgain={onAskAgain} />
  if (error instanceof ApiError && error.code === 4100)
    return <LinkOver text={error.text} onAskAgain={onAskAgain} />
  return (
    <div className="login-form">
      <h1 tabIndex={-1}>設定新密碼</h1>
      {error ? (
        <FailState title="還不知道這個連結能不能用" onRetry={() => void refetch()} busy={isFetching}>
          {failureText(error)}
        </FailState>
      ) : (
        <p className="row gap8 ink2" role="status">
          <span className="ring" aria-hidden="true" />
          正在檢查連結…
        </p>
      )}
    </div>
  )
}
