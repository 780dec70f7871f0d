// Opens what belongs to the outbox when it is wanted, each from its own chunk: the panel (?panel=outbox), the question before signing out.
import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { useGo } from '#screen/go.ts'
import { leaving } from '#screen/session.ts'

const Panel = lazy(() =>
  import('./outbox/OutboxPanel.tsx').then(({ OutboxPanel }) => ({ default: OutboxPanel })),
)
const Question = lazy(() =>
  import('./outbox/LeaveQuestion.tsx').then(({ LeaveQuestion }) => ({ default: LeaveQuestion })),
)

export function OutboxGate() {
  const { open } = useGo()
  const { asking } = useSnapshot(leaving)
  const shown = useRouterState({
    select: ({ location }) => new URLSearchParams(location.searchStr).get('panel') === 'outbox',
  })
  const close = () => {
    const search = new URLSearchParams(location.search)
    search.delete('panel')
    open(`${location.pathname}${search.size > 0 ? `?${search}` : ''}`, true)
  }
  return (
    <Suspense fallback={null}>
      {shown && <Panel onClose={close} />}
      {asking && <Question />}
    </Suspense>
  )
}
