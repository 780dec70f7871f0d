// /organizations/manage: members, invitations, groups and settings, for admins; the tab stands in ?tab=.
import { createFileRoute } from '@tanstack/react-router'
import { OrganizationManagePage } from '#features/organization/OrganizationManagePage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/organizations/manage')({
  staticData: { title: '組織管理', skeleton: 'list', permission: 'organization:manage' },
  validateSearch: texts(
    'tab',
    'id',
    'search',
    'role',
    'status',
    'page',
    'on',
    'time',
    'user',
    'strategy',
    'view',
    'rows',
  ),
  component: OrganizationManagePage,
})
