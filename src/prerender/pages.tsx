// The pages that are drawn at build, by the components that draw them later (server/cli/prerender.ts, docs/decisions/first-visit.md).
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { LandingPage } from '#features/landing/LandingPage.tsx'
import { LoginPage } from '#features/session/LoginPage.tsx'
import { documentTitle } from '#screen/title.ts'
import { preferences } from '#state/preferences.ts'
import { auth } from '#state/session.ts'
import { Route as Landing } from '../routes/index.tsx'
import { Route as Login } from '../routes/login.tsx'

/** What is not known at build is drawn as well, and before.ts chooses: `dark`, `signed` (somebody is), `invited` (by the address). */
type When = '' | 'dark' | 'signed' | 'dark signed' | 'invited' | 'dark invited'

interface Drawn {
  /** Its file. */
  readonly name: string
  readonly path: '/' | '/login'
  readonly title: string
  readonly html: Partial<Record<When, string>> & { '': string }
}

// only asked where a link leads, when it is pressed
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })

function draw(page: ReactNode, when: When = ''): string {
  preferences.theme_mode = when.includes('dark') ? 'dark' : 'light'
  auth.uid = when.includes('signed') ? 'somebody' : null
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <RouterContextProvider router={router}>{page}</RouterContextProvider>
    </QueryClientProvider>,
  )
}

const landing = (when: When) => draw(<LandingPage />, when)
/** before.ts writes where one returns to into the links. */
const login = (tab: 'login' | 'register', when: When) =>
  draw(
    <LoginPage
      tab={tab}
      return_to={when.includes('invited') ? '/my-organizations?invite=code' : undefined}
    />,
    when,
  )
const tabs = (tab: 'login' | 'register') => ({
  '': login(tab, ''),
  dark: login(tab, 'dark'),
  invited: login(tab, 'invited'),
  'dark invited': login(tab, 'dark invited'),
})

export const DRAWN: readonly Drawn[] = [
  {
    name: 'landing',
    path: '/',
    title: documentTitle(Landing.options.staticData?.title),
    html: {
      '': landing(''),
      dark: landing('dark'),
      signed: landing('signed'),
      'dark signed': landing('dark signed'),
    },
  },
  {
    name: 'login',
    path: '/login',
    title: documentTitle(Login.options.staticData?.title),
    html: tabs('login'),
  },
  { name: 'register', path: '/login', title: documentTitle('註冊'), html: tabs('register') },
]
