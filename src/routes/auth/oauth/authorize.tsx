// /auth/oauth/authorize: who asks, for what, as whom; whoever is signed out signs in first and comes back.
import { createFileRoute } from '@tanstack/react-router'
import { AuthorizePage } from '#features/oauth/AuthorizePage.tsx'
import { AppError } from '#features/shell/AppError.tsx'
import { enter } from '#screen/guard.ts'
import { texts } from '#screen/search.ts'

const search = texts('interaction')

export const Route = createFileRoute('/auth/oauth/authorize')({
  staticData: { title: '授權' },
  validateSearch: search,
  // the page itself is public (spec §2); only a request that waits for an answer needs a person
  beforeLoad: ({ location }) => {
    if (new URLSearchParams(location.searchStr).has('interaction')) enter(location, [])
  },
  errorComponent: AppError,
  component: function Authorize() {
    const { interaction } = Route.useSearch()
    return <AuthorizePage uid={interaction} />
  },
})
