// /my-organizations: my organizations, invitations, join requests; ?invite=CODE opens one (ruling A8), ?invitation=ID one of those listed.
import { createFileRoute } from '@tanstack/react-router'
import { MyOrganizationsPage } from '#features/organization/MyOrganizationsPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/my-organizations')({
  staticData: { title: '我的組織', skeleton: 'list', permission: 'my-organizations:view' },
  validateSearch: texts('invite', 'invitation', 'tab'),
  component: MyOrganizationsPage,
})
