// Where one stands in the administration: tab, group, filters and page, all in the address.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSnapshot } from 'valtio'
import { useCtx } from '#screen/data.tsx'
import { useTypedWord } from '#screen/use-typed.ts'
import { auth } from '#state/session.ts'

/** Rows of a page in every list of the administration. */
export const PAGE = 20

type Search = Partial<
  Record<
    | 'tab'
    | 'id'
    | 'search'
    | 'role'
    | 'status'
    | 'page'
    | 'on'
    | 'time'
    | 'user'
    | 'strategy'
    | 'view'
    | 'rows',
    string
  >
>

/** `change` lays over the address (empty takes away, any filter starts at page 1); `go` puts a new place into the history. */
export function usePlace() {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const to = (next: Search, replace: boolean) => {
    const kept = Object.fromEntries(Object.entries(next).filter(([, value]) => value))
    void navigate({ to: '/organizations/manage', search: kept, replace })
  }
  return {
    search,
    page: Math.max(1, Number.parseInt(search.page ?? '', 10) || 1),
    change: (changes: Search) => to({ ...search, page: '', ...changes }, true),
    go: (next: Search) => to(next, false),
  }
}

/** The organization that is administered, and the context of its questions. */
export function useOrganization(): { id: string; ctx: ReturnType<typeof useCtx> } {
  const { org_id } = useSnapshot(auth)
  return { id: org_id ?? '', ctx: useCtx() }
}

/** The search of a tab: what its box shows, and the word that stands in the address, absent for none. */
export function useWord() {
  const { search, change } = usePlace()
  const [value, onChange] = useTypedWord(search.search ?? '', (text) => change({ search: text }))
  return { box: { value, onChange }, word: search.search?.trim() || undefined }
}
