// Every other address: not found, for everybody.
import { createFileRoute } from '@tanstack/react-router'
import { NotFound } from '#features/shell/NotFound.tsx'

export const Route = createFileRoute('/$')({
  staticData: { title: '找不到頁面' },
  component: NotFound,
})
