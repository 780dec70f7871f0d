// /signals: every signal of the current identity, newest first; an open record stands in ?signal=.
import { createFileRoute } from '@tanstack/react-router'
import { FILTERS } from '#features/signal/filters.ts'
import { SignalsPage } from '#features/signal/SignalsPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/signals')({
  staticData: { title: '全部訊號', skeleton: 'list', permission: 'strategy:view' },
  validateSearch: texts(...FILTERS, 'signal'),
  component: SignalsPage,
})
