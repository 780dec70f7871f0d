// The top-level error screen of spec §2: what stands there when a whole page fails.
import type { ErrorComponentProps } from '@tanstack/react-router'
import { getData } from '#data/current.ts'
import { APP_ERROR } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { ErrorDetails, readError } from './ErrorDetails.tsx'
import { Lone } from './Lone.tsx'

/** What the device keeps of the person may be what it fails on: where the server can be asked, the next start asks it. */
function afresh(missing: boolean): void {
  const again = () => location.reload()
  if (missing || !navigator.onLine) again()
  else getData().clearCopies('profile').then(again, again)
}

export function AppError({ error: thrown }: ErrorComponentProps) {
  const { error, missing } = readError(thrown)
  return (
    <Lone
      title={missing ? '這一頁還沒存到這支裝置' : APP_ERROR.title}
      action={
        <>
          <Button href="/">{APP_ERROR.home}</Button>
          <Button kind="filled" onClick={() => afresh(missing)}>
            {APP_ERROR.reload}
          </Button>
        </>
      }
    >
      {missing ? '連上網路後打開一次，之後離線也看得到。' : '已存下的紀錄沒有受影響。重新載入通常就會恢復。'}
      <ErrorDetails error={error} />
    </Lone>
  )
}
