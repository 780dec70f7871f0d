// /guide: how to do things, readable offline.
import { createFileRoute } from '@tanstack/react-router'
import { GuidePage } from '#features/guide/GuidePage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/guide')({
  staticData: { title: '使用說明', skeleton: 'default' },
  validateSearch: texts('q', 'page'),
  component: GuidePage,
})
