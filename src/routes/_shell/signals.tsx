// /signals: every signal of the current identity, newest first; an open record stands in ?signal=.
import { createFileRoute } from '@tanstack/react-router'
import { requirePermission } from '#features/shell/guard.ts'
import { SignalsPage } from '#features/signal/SignalsPage.tsx'

export const Route = createFileRoute('/_shell/signals')({
  staticData: { title: '全部訊號', skeleton: 'list' },
  beforeLoad: ({ location }) => requirePermission(location, 'strategy:view'),
  component: SignalsPage,
})
