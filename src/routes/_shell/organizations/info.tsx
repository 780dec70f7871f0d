// /organizations/info: the organization as its members see it.
import { createFileRoute } from '@tanstack/react-router'
import { OrganizationInfoPage } from '#features/organization/OrganizationInfoPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/organizations/info')({
  staticData: { title: '組織詳情', skeleton: 'detail', permission: 'organization:view' },
  validateSearch: texts('tab'),
  component: OrganizationInfoPage,
})
