// /demo-strategylist/icons: every icon with its meaning.
import { createFileRoute } from '@tanstack/react-router'
import { IconsDemoPage } from '#features/demo/IconsDemoPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_open/demo-strategylist/icons')({
  staticData: { title: '圖示', skeleton: 'default' },
  validateSearch: texts(),
  component: IconsDemoPage,
})
