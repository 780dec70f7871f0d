// The error fallback of one page: the bars around it stay, and the page can be tried again (spec §2).
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useGo } from '#screen/go.ts'
import { Button } from '#ui/Button.tsx'
import { ErrorDetails, readError } from './ErrorDetails.tsx'
import css from './Lone.module.css'

export function RouteError({ error: thrown, reset }: ErrorComponentProps) {
  const router = useRouter()
  const { go } = useGo()
  const { error, missing } = readError(thrown)
  const again = () => {
    reset()
    void router.invalidate()
  }
  return (
    <div className={css.root} role="alert">
      <h1 tabIndex={-1}>{missing ? '這一頁還沒存到這支裝置' : '這一頁發生錯誤'}</h1>
      <div className={css.body}>
        {missing ? '連上網路後打開一次，之後離線也看得到。' : '已存下的紀錄沒有受影響，其他頁面照常可用。'}
        <ErrorDetails error={error} />
      </div>
      <div className="row gap12">
        <Button {...go('/dashboard')}>回到首頁</Button>
        <Button kind="filled" onClick={again}>
          重試
        </Button>
      </div>
    </div>
  )
}
