// What is not there for this identity, but for another one of the same person: the way to it (ruling A5).
import type { ReactNode } from 'react'
import { ApiError, type ApiErrorDetails } from '#contract/errors.ts'
import { NAV } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { notFound } from './failure.ts'
import { useGo } from './go.ts'
import { usePrivacy } from './privacy.ts'
import { masked } from './profile.ts'

/** The identity that has it, null when none has or nobody said. */
function foundIn(error: unknown): ApiErrorDetails['found_in'] | null {
  return (error instanceof ApiError && error.details.found_in) || null
}

/**
 * A failure that another identity mends offers that identity; one that nothing mends offers nothing to try again; any other
 * is shown by `children`'s words with 重試. `what` completes 找不到… and 讀不到…; `back` leads on from what is gone.
 */
export function ReadFailure({
  error,
  what,
  children,
  card = false,
  back,
  busy,
  onRetry,
}: {
  error: unknown
  what: string
  children: ReactNode
  card?: boolean
  back?: { href: string; label: string }
  busy: boolean
  onRetry: () => void
}) {
  const { open, go } = useGo()
  const privacy = usePrivacy()
  const found = foundIn(error)
  if (found) {
    const own = found.organization_id === null
    const name = own ? '你的個人身份' : privacy.on ? masked(found.name) : found.name
    const enter = () => {
      const query = new URLSearchParams(location.search)
      query.set('org', found.organization_id ?? 'personal')
      open(`${location.pathname}?${query}`, true)
    }
    return (
      <FailState
        card={card}
        title={`這屬於${name}`}
        action={
          <Button size="s" kind="filled" icon="swap" onClick={enter}>
            {NAV.switch_identity}
          </Button>
        }
      >
        你現在用的是另一個身份，所以看不到{what}。切換身份就會打開。
      </FailState>
    )
  }
  if (notFound(error))
    return (
      <FailState
        card={card}
        title={`找不到${what}`}
        action={
          back && (
            <Button size="s" {...go(back.href)}>
              {back.label}
            </Button>
          )
        }
      >
        可能已經刪除，或不屬於你現在的身份。
      </FailState>
    )
  return (
    <FailState card={card} title={`讀不到${what}`} busy={busy} onRetry={onRetry}>
      {children}
    </FailState>
  )
}
