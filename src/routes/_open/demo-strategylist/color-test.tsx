// /demo-strategylist/color-test: every colour with its measured contrast.
import { createFileRoute } from '@tanstack/react-router'
import { ColorTestPage } from '#features/demo/ColorTestPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_open/demo-strategylist/color-test')({
  staticData: { title: '色彩與對比', skeleton: 'default' },
  validateSearch: texts(),
  component: ColorTestPage,
})
