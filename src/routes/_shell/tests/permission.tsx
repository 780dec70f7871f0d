// /tests/permission: the current identity against every permission.
import { createFileRoute } from '@tanstack/react-router'
import { PermissionTestPage } from '#features/demo/PermissionTestPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/tests/permission')({
  staticData: { title: '權限測試', skeleton: 'default' },
  validateSearch: texts(),
  component: PermissionTestPage,
})
