// The second half: a link from the mail. Whose it is, whether it still works, and the new password.
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { sessionQueries } from '#data/nouns/session.ts'
import { failureSentence } from '#screen/failure.ts'
import { FailState } from '#ui/EmptyState.tsx'
import { LoadingScreen } from '#ui/Skeleton.tsx'
import css from '../LoginFrame.module.css'
import { LinkOver } from './LinkOver.tsx'
import { NewForm } from './NewForm.tsx'
import { ResetFrame } from './ResetFrame.tsx'

export function NewPassword({
  token,
  return_to,
  onAskAgain,
}: {
  token: string
  return_to: string | undefined
  onAskAgain: () => void
}) {
  const { data: found, error, refetch, isFetching } = useQuery(sessionQueries.reset(token))
  // the form and the refusal are not of one height: neither is drawn before it is known which
  if (!found && !error) return <LoadingScreen title="正在檢查連結" />
  return (
    <ResetFrame return_to={return_to}>
      {found ? (
        <NewForm
          token={token}
          email_masked={found.email_masked}
          return_to={return_to}
          onAskAgain={onAskAgain}
        />
      ) : error instanceof ApiError && error.code === 4100 ? (
        <LinkOver text={error.text} onAskAgain={onAskAgain} />
      ) : (
        <div className={css.form}>
          <h1 tabIndex={-1}>設定新密碼</h1>
          <FailState title="還不知道這個連結能不能用" onRetry={() => void refetch()} busy={isFetching}>
            {failureSentence(error)}
          </FailState>
        </div>
      )}
    </ResetFrame>
  )
}
