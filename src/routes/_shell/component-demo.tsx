// /component-demo: every shared part in every state.
import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/component-demo')({
  staticData: { title: '元件展示', skeleton: 'default' },
  validateSearch: texts('part'),
  component: lazyRouteComponent(() => import('#features/demo/ComponentDemoPage.tsx'), 'ComponentDemoPage'),
})
