/* The list's state in the address: filters replace the entry, opening a record adds one so that Back closes it. */
import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useRef } from 'react'
import { parseSignalSearch, type SearchPatch, tidy } from './search.ts'

/** What the address says and how to change it. `hrefOf` is the record's own address on this page. */
export function useAddress() {
  const raw: Record<string, unknown> = useSearch({ strict: false })
  const { pathname } = useLocation()
  const router = useRouter()
  const navigate = useNavigate()
  const search = useMemo(() => parseSignalSearch(raw), [raw])
  /** Whether this page put the open record into the history: only then may closing go back. */
  const pushed = useRef(false)

  const go = useCallback(
    (patch: SearchPatch, replace: boolean) =>
      navigate({
        to: pathname,
        search: (old: Record<string, unknown>) => tidy({ ...old, ...patch } as SearchPatch),
        replace,
        resetScroll: false,
      } as Parameters<typeof navigate>[0]),
    [navigate, pathname],
  )
  const open = useCallback(
    (signal: string) => {
      pushed.current = true
      void go({ signal }, false)
    },
    [go],
  )
  /** From one opened record to another, in its place: Back still closes. */
  const move = useCallback((signal: string) => void go({ signal }, true), [go])
  const close = useCallback(() => {
    if (pushed.current) router.history.back()
    else void go({ signal: undefined }, true)
    pushed.current = false
  }, [go, router])
  const filters = useMemo(() => new URLSearchParams(keep(raw)).toString(), [raw])
  // of the filters alone: it stays the same while a record opens and closes, and so do the rows that hold it
  const hrefOf = useCallback(
    (signal: string) => `${pathname}?${filters && `${filters}&`}signal=${encodeURIComponent(signal)}`,
    [pathname, filters],
  )
  const filter = useCallback((patch: SearchPatch) => void go(patch, true), [go])
  return { search, open, move, close, hrefOf, filter }
}

/** What the address says beside the open record. */
function keep(raw: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(raw)
      .filter(([name, value]) => name !== 'signal' && value !== undefined && value !== null && value !== '')
      .map(([key, value]) => [key, String(value)]),
  )
}
