// Starts the application: preferences and session first (both synchronous), then the data, then the screen.
import '#ui/tokens.css'
import '#ui/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { subscribe } from 'valtio'
import { getData } from '#data/current.ts'
import { NotFound, RouteError } from '#features/shell/AppError.tsx'
import { Pending } from '#features/shell/Pending.tsx'
import { begin } from '#features/shell/start.ts'
import { parseSearch, stringifySearch } from '#screen/search.ts'
import { viewing } from '#state/app.ts'
import { takeOver } from './prerender/take-over.ts'
import { routeTree } from './routeTree.gen.ts'

const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPendingComponent: Pending,
  defaultErrorComponent: RouteError,
  defaultNotFoundComponent: NotFound,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
})
declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

// positions are ours to keep (ruling C30); without this the browser restores its own on Back (drawn pages: prerender/before.ts)
history.scrollRestoration = 'manual'
// the application itself has arrived: see the emergency exit in index.html
sessionStorage.removeItem('boot-failed')
let stands = () => {}
const page = new Promise<void>((done) => {
  stands = done
})
const data = begin(router, page)
const place = document.getElementById('root') as HTMLElement
const root = createRoot(place)
const render = () =>
  root.render(
    // whose screen it is: nothing of one stays on the other's
    <QueryClientProvider key={viewing.member?.id ?? ''} client={getData().query}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
const begun = () => takeOver(place, render)
// what stands there stays until the first page is complete, its looks included; a page that fails shows its own error
void Promise.all([router.load(), data.restored, ...(window.styled ?? [])])
  .then(begun, begun)
  .then(stands)
subscribe(viewing, render, true)
