// /search-form-demo: the filter form, without login.
import { createFileRoute } from '@tanstack/react-router'
import { SearchFormDemoPage } from '#features/signal/sample/SearchFormDemoPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_open/search-form-demo')({
  staticData: { title: '篩選表單', skeleton: 'form' },
  validateSearch: texts(),
  component: SearchFormDemoPage,
})
