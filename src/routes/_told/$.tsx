// Every other address: not found, for everybody.
import { createFileRoute } from '@tanstack/react-router'
import { NotFoundInside } from '#features/shell/AppError.tsx'

export const Route = createFileRoute('/_told/$')({
  staticData: { title: '找不到頁面' },
  component: NotFoundInside,
})
