// /component-demo: every shared part in every state.
import { createFileRoute } from '@tanstack/react-router'
import { ComponentDemoPage } from '#features/demo/ComponentDemoPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/component-demo')({
  staticData: { title: '元件展示', skeleton: 'default' },
  validateSearch: texts('part'),
  component: ComponentDemoPage,
})
