// The title of the page: from the route, or from the page once it knows a name.
import { useEffect } from 'react'
import { proxy } from 'valtio'
import type { Permission } from '#contract/permissions.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Words of the title; the product's name is added. */
    title?: string
    /** Which skeleton waits for this page (spec §2). */
    skeleton?: 'dashboard' | 'list' | 'form' | 'detail' | 'default'
    /** What the current identity must be allowed to do; absent = signed in is enough. */
    permission?: Permission
    /** Signed in is enough, but it is an organization's page: while that is not loaded its skeleton stands there (spec §2). */
    of_organization?: true
  }
}

/** A name that a page has learned, with the path it belongs to; it replaces the route's words while that page is open. */
export const learned = proxy<{ path: string; title: string }>({ path: '', title: '' })

/** Names the page after its subject, e.g. the strategy's name; empty or absent leaves the route's own title. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (!title) return
    learned.path = location.pathname
    learned.title = title
    return () => {
      learned.title = ''
    }
  }, [title])
}

/** What stands in the browser's tab. */
export function documentTitle(words: string | undefined): string {
  if (!words) return '凌波 LingBo'
  return words.includes('凌波') ? words : `${words} · 凌波`
}
