// The error fallback of every route: what failed, what is safe, what to do; the words of spec §2 for the screen as a whole.
import type { ErrorComponentProps } from '@tanstack/react-router'
import { APP_ERROR } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { Lone } from './Lone.tsx'

/** A lazy chunk that could not be fetched: offline before it was stored, or a new version has replaced it. */
const CHUNK = /dynamically imported module|Importing a module script failed|error loading dynamically/i

export function RouteError({ error: thrown }: ErrorComponentProps) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const missing = CHUNK.test(error.message)
  return (
    <Lone
      title={missing && !navigator.onLine ? '這一頁還沒存到這支裝置' : APP_ERROR.title}
      action={
        <>
          <Button href="/">{APP_ERROR.home}</Button>
          <Button kind="filled" onClick={() => location.reload()}>
            {APP_ERROR.reload}
          </Button>
        </>
      }
    >
      {missing && !navigator.onLine
        ? '連上網路後打開一次，之後離線也看得到。'
        : '已存下的紀錄沒有受影響。重新載入通常就會恢復。'}
      <details>
        <summary>錯誤內容</summary>
        <pre>{[error.name, error.message, error.stack].filter(Boolean).join('\n')}</pre>
      </details>
    </Lone>
  )
}
