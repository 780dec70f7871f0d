// Who may do what (spec.md §6): the one table behind guards, buttons and server.
// What an application of somebody else can ask for (ruling A20).

/** `offline_access`: also while the person is away. */
export const OAUTH_SCOPES = [
  'openid',
  'profile',
  'email',
  'offline_access',
  'signals:read',
  'strategies:read',
  'signals:write',
] as const
export type OauthScope = (typeof OAUTH_SCOPES)[number]

export const PERMISSIONS = [
  'strategy:view',
  'strategy:create',
  'strategy:edit',
  'strategy:delete',
  'organization:view',
  'organization:create',
  'organization:edit',
  'organization:delete',
  'organization:manage',
  'organization:announcements:view',
  'my-organizations:view',
  'my-announcements:view',
  'group:view',
  'group:create',
  'group:edit',
  'group:delete',
] as const
export type Permission = (typeof PERMISSIONS)[number]

export const ROLES = ['admin', 'member'] as const
export type Role = (typeof ROLES)[number]
export const ROLE_NAMES: Record<Role, string> = { admin: '管理者', member: '成員' }

/** In which capacity somebody acts: personal, or with a role in the organization; `null` while it is not loaded. */
export type Identity = { type: 'personal' } | { type: 'organization'; role: Role | null }

export const ALWAYS_GRANTED: readonly Permission[] = ['my-organizations:view', 'my-announcements:view']

const PERSONAL: readonly Permission[] = [
  'strategy:view',
  'strategy:create',
  'strategy:edit',
  'strategy:delete',
  'organization:view',
  'organization:create',
]
const BY_ROLE: Record<Role, readonly Permission[]> = {
  admin: [
    'strategy:view',
    'strategy:create',
    'strategy:edit',
    'strategy:delete',
    'organization:view',
    'organization:edit',
    'organization:delete',
    'organization:manage',
    'group:view',
    'group:create',
    'group:edit',
    'group:delete',
    'organization:announcements:view',
  ],
  member: ['strategy:view', 'organization:view', 'group:view', 'organization:announcements:view'],
}

export function may(identity: Identity, permission: Permission): boolean {
  if (ALWAYS_GRANTED.includes(permission)) return true
  if (identity.type === 'personal') return PERSONAL.includes(permission)
  return identity.role !== null && BY_ROLE[identity.role].includes(permission)
}

/** Who a call is open to: anybody, any signed-in person, or whoever has the permission in the current context. */
export type Who = 'public' | 'login' | Permission
