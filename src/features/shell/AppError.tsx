// The top-level error screen of spec §2: what stands there when a whole page fails.

import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { getData } from '#data/current.ts'
import { useGo } from '#screen/go.ts'
import { APP_ERROR } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { Clauses } from '#ui/Clauses.tsx'
import { Mark } from '#ui/Icon.tsx'
import css from './AppError.module.css'

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

// What was thrown, for people who report it; and whether only the page's code is missing.

/** A lazy chunk that could not be fetched: offline before it was stored, or a new version has replaced it. */
const CHUNK =
  /dynamically imported module|Importing a module script failed|error loading dynamically|Unable to preload/i

/** The thrown thing as an error; `missing`: offline, and this page's code is not on the device yet. */
export function readError(thrown: unknown): { error: Error; missing: boolean } {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  return { error, missing: CHUNK.test(error.message) && !navigator.onLine }
}

export function ErrorDetails({ error }: { error: Error }) {
  return (
    <details>
      <summary>錯誤內容</summary>
      <pre>{[error.name, error.message, error.stack].filter(Boolean).join('\n')}</pre>
    </details>
  )
}

// The error fallback of one page: the bars around it stay, and the page can be tried again (spec §2).

export function RouteError({ error: thrown, reset }: ErrorComponentProps) {
  const router = useRouter()
  const { go } = useGo()
  const { error, missing } = readError(thrown)
  const again = () => {
    reset()
    void router.invalidate()
  }
  return (
    <div className={css.Lone} role="alert">
      <h1 tabIndex={-1}>{missing ? '這一頁還沒存到這支裝置' : '這一頁發生錯誤'}</h1>
      <div className={css.LoneBody}>
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

// The catch-all: the address leads nowhere.

/** Where no frame stands around it. */
export function NotFound() {
  return <Nowhere framed={false} />
}

/** Inside the bars of a shell. */
export function NotFoundInside() {
  return <Nowhere framed />
}

function Nowhere({ framed }: { framed: boolean }) {
  const { go } = useGo()
  return (
    <Lone
      framed={framed}
      title="找不到這個頁面"
      action={
        <Button kind="filled" {...go('/dashboard')}>
          回到首頁
        </Button>
      }
    >
      <p>
        <Clauses>網址可能打錯了，或這一頁已經不在。你的資料都還在。</Clauses>
      </p>
    </Lone>
  )
}

// A page that stands alone: one sentence, what to do (not found, no permission, errors).

/** `title` is the page's heading; `action` one or two verbs; `framed` inside a shell, which has the main region. */
export function Lone({
  title,
  children,
  action,
  framed = false,
}: {
  title: string
  children?: ReactNode
  action: ReactNode
  framed?: boolean
}) {
  const Room = framed ? 'div' : 'main'
  return (
    <Room className={css.Lone}>
      <Mark size={40} />
      <h1 tabIndex={-1}>{title}</h1>
      <div className={css.LoneBody}>{children}</div>
      <div className="row gap12">{action}</div>
    </Room>
  )
}
