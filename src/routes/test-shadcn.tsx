// /test-shadcn: the form controls and dialogs alone, without login.
import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router'
import { AppError } from '#features/shell/AppError.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/test-shadcn')({
  staticData: { title: '表單元件' },
  validateSearch: texts(),
  errorComponent: AppError,
  component: lazyRouteComponent(() => import('#features/demo/ComponentDemoPage.tsx'), 'FormControlsPage'),
})
