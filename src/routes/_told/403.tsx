// /403: the permission is missing, and why.
import { createFileRoute } from '@tanstack/react-router'
import { AppError } from '#features/shell/AppError.tsx'
import { ForbiddenPage } from '#features/shell/ForbiddenPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_told/403')({
  staticData: { title: '沒有權限' },
  validateSearch: texts('missing'),
  errorComponent: AppError,
  component: function Forbidden() {
    const { missing } = Route.useSearch()
    return <ForbiddenPage missing={missing} />
  },
})
