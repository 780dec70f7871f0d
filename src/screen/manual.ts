// The address of the sheet of a manual signal (ruling A8): over the page of its strategy, else over the list; and the way back.
import { useRouter } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The sheet was opened from the page before this one, whatever page it stands over: that is where closing it leads. */
    over?: boolean
  }
}

/** `id` of a strategy, or any: over a strategy's own page it is that one. */
export function manualHref(id = '1'): string {
  const { pathname, search: before } = location
  const search = new URLSearchParams(before)
  search.set('manual', id)
  const here = /^\/strategies(\/[0-9a-f-]{36})?$/.test(pathname)
  return here ? `${pathname}?${search}` : `/strategies?manual=${id}`
}

/** `open` the sheet over the page, `pick` a strategy in it, `close` it again; `to` gives the two props of a link or button. */
export function useManual() {
  const { history } = useRouter()
  const open = (href = manualHref()) => history.push(href, { over: true })
  return {
    open,
    to: (href = manualHref()) => ({ href, onClick: () => open(href) }),
    pick: (id: string) => history.replace(manualHref(id), history.location.state),
    close: () => {
      const { pathname, search, state } = history.location
      const left = new URLSearchParams(search)
      left.delete('manual')
      left.delete('gap')
      if (state.over) history.back()
      else history.replace(`${pathname}${left.size > 0 ? `?${left}` : ''}`)
    },
  }
}
