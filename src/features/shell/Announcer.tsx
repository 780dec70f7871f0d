// After a navigation: the title in the tab, the focus on the heading, the words for screen readers, the scroll at the top.
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { documentTitle, learned } from '#screen/title.ts'

/** Waits at most this long for a page's heading: on a slow line its data comes late, and until then its skeleton stands there. */
const HEADING_MS = 60_000

/** Gives the focus to the page's h1, now or as soon as it is there; gives up when the person has moved on. */
function focusHeading(): () => void {
  const from = document.activeElement
  const found = () => {
    const heading = document.querySelector<HTMLElement>('main h1, #root h1')
    if (!heading) return false
    const moved = document.activeElement !== from && document.activeElement !== document.body
    if (!moved) {
      if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    return true
  }
  if (found()) return () => {}
  const watch = new MutationObserver(() => {
    if (found()) watch.disconnect()
  })
  watch.observe(document.body, { childList: true, subtree: true })
  const timer = setTimeout(() => watch.disconnect(), HEADING_MS)
  return () => {
    clearTimeout(timer)
    watch.disconnect()
  }
}

export function Announcer() {
  const { path, hash, words } = useRouterState({
    select: (state) => ({
      path: state.resolvedLocation?.pathname ?? '',
      hash: state.resolvedLocation?.hash ?? '',
      words: state.matches.findLast((match) => match.staticData.title)?.staticData.title,
    }),
    structuralSharing: true,
  })
  const name = useSnapshot(learned)
  const title = documentTitle(name.title && name.path === path ? name.title : words)
  const before = useRef<string | null>(null)
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    if (path === '' || before.current === path) return
    const first = before.current === null
    before.current = path
    // search-only changes (tabs, a drawer) stay where they are; every other change starts at the top, also Back (ruling C30)
    if (!hash) scrollTo({ top: 0, behavior: 'instant' })
    return first ? undefined : focusHeading()
  }, [path, hash])
  return (
    <p id="announce" className="vh" aria-live="polite">
      {path !== '' && before.current !== null ? title : ''}
    </p>
  )
}
