// /organizations/create: a new organization.
import { createFileRoute } from '@tanstack/react-router'
import { OrganizationCreatePage } from '#features/organization/OrganizationCreatePage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/organizations/create')({
  staticData: { title: '建立組織', skeleton: 'form', permission: 'organization:create' },
  validateSearch: texts(),
  component: OrganizationCreatePage,
})
