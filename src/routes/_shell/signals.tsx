// /signals: every signal of the current identity, newest first; an open record stands in ?signal=.
import { createFileRoute } from '@tanstack/react-router'
import { texts } from '#features/shell/search.ts'
import { SignalsPage } from '#features/signal/SignalsPage.tsx'

export const Route = createFileRoute('/_shell/signals')({
  staticData: { title: '全部訊號', skeleton: 'list', permission: 'strategy:view' },
  validateSearch: texts('kind', 'strategy', 'action', 'effect', 'side', 'source', 'text', 'signal'),
  component: SignalsPage,
})
