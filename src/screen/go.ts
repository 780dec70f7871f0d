// Opening a page of the application from a part that only knows addresses (#ui takes href and a handler).
import { useRouter } from '@tanstack/react-router'

/** `open(href)` goes there, `go(href)` gives the two props that make a part of #ui a link: `<Button {...go('/strategies')}>`. */
export function useGo() {
  const router = useRouter()
  const open = (href: string, replace = false) =>
    replace ? router.history.replace(href) : router.history.push(href)
  return { open, go: (href: string) => ({ href, onClick: () => open(href) }) }
}

/** Where it is set how one is told of a strategy. */
export const notifyHref = (strategy_id: string) => `/signal-notification?tab=setting&id=${strategy_id}`
