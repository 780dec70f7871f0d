// Where one lands after a switch: every route of spec §2 × every identity, written from spec §4 and ruling A21 by hand.
import { describe, expect, test } from 'vitest'
import { type Acting, afterSwitch, type Landing } from '#screen/after-paint.ts'

const PERSONAL: Acting = { org_id: null, role: null }
const ADMIN: Acting = { org_id: 'o1', role: 'admin' }
const MEMBER: Acting = { org_id: 'o2', role: 'member' }
const OTHER: Acting = { org_id: 'o9', role: 'member' }
const UNKNOWN: Acting = { org_id: 'o3', role: null }

// S stays · D client-side /dashboard · L full load of /dashboard · M client-side /organizations/manage
// one column per identity switched to: personal, admin, member; then admin with fromMyOrganizationAdmin
const TABLE: Record<string, string> = {
  '/dashboard': 'S S S S',
  '/strategies': 'S S S S',
  '/signals': 'D D D D',
  '/guide': 'D D D D',
  '/profile': 'D D D D',
  '/strategies/create': 'D D L D',
  '/strategies/create/futures': 'D D L D',
  '/strategies/create/stock': 'D D L D',
  '/strategies/create/xq-stock': 'D D L D',
  '/strategies/018f4a1e-7b1a-7000-8000-000000000001/edit': 'D D L D',
  '/strategies/018f4a1e-7b1a-7000-8000-000000000001': 'D D D D',
  '/my-organizations': 'D D D M',
  '/my-announcements': 'D D D D',
  '/signal-notification': 'D D D D',
  '/organizations/018f4a1e-7b1a-7000-8000-000000000002/announcements': 'D D D D',
  '/organizations/create': 'D D L D',
  '/organizations/manage': 'L D L D',
  '/organizations/info': 'L D D D',
  '/component-demo': 'D D D D',
  '/tests/permission': 'D D D D',
  '/search-form-demo': 'D D D D',
  '/demo-strategylist': 'D D D D',
  '/demo-strategylist/icons': 'D D D D',
  '/demo-strategylist/color-test': 'D D D D',
  '/403': 'D D D D',
}
const LANDINGS: Record<string, Landing> = {
  S: { kind: 'stay' },
  D: { kind: 'go', to: '/dashboard' },
  L: { kind: 'load', to: '/dashboard' },
  M: { kind: 'go', to: '/organizations/manage' },
}
const COLUMNS: [string, Acting, boolean][] = [
  ['personal', PERSONAL, false],
  ['admin', ADMIN, false],
  ['member', MEMBER, false],
  ['admin by 管理', ADMIN, true],
]

describe('after a switch', () => {
  // spec §4: A context-switched event then fires; on it, any page other than /dashboard or /strategies goes…
  // spec §4: After a switch, a hard redirect to /dashboard happens when: on a create or edit page as a member;…
  // spec §4: A redirect to /organizations/manage happens when on /my-organizations, now org admin, and fromMyOrganizationAdmin…
  for (const [path, row] of Object.entries(TABLE))
    test.each(COLUMNS.map(([name, to, flag], n) => [name, to, flag, row.split(' ')[n] ?? ''] as const))(
      `${path} → %s`,
      (_name, to, from_my_organization, expected) => {
        for (const from of [PERSONAL, ADMIN, MEMBER, OTHER].filter(({ org_id }) => org_id !== to.org_id))
          for (const written of [path, `${path}/`])
            expect(afterSwitch(written, from, to, { from_my_organization })).toEqual(LANDINGS[expected])
      },
    )

  test('only the role has changed: the page stays unless the new role may not see it', () => {
    const over = (path: string, from: Acting['role'], to: Acting['role']) =>
      afterSwitch(
        path,
        { org_id: 'o1', role: from },
        { org_id: 'o1', role: to },
        { from_my_organization: false },
      ).kind
    expect(over('/organizations/manage', 'admin', 'member')).toBe('load')
    expect(over('/strategies/x/edit', 'admin', 'member')).toBe('load')
    expect(over('/strategies/x', 'admin', 'member')).toBe('stay')
    expect(over('/organizations/info', 'member', 'admin')).toBe('stay')
    expect(over('/signals', 'member', 'admin')).toBe('stay')
  })

  // spec §6: In an organization context with no organization loaded, everything except the always-granted…
  test('while the role is not known yet nothing is granted', () => {
    const to = (path: string) => afterSwitch(path, PERSONAL, UNKNOWN, { from_my_organization: true })
    expect(to('/organizations/manage')).toEqual(LANDINGS['L'])
    expect(to('/my-organizations')).toEqual(LANDINGS['D'])
  })

  test('/strategies/create/… is not taken for a strategy, and a strategy called edit is not an editor', () => {
    const to = (path: string) => afterSwitch(path, PERSONAL, MEMBER, { from_my_organization: false }).kind
    expect([to('/strategies/create/futures'), to('/strategies/edit'), to('/strategies/a/b/edit')]).toEqual([
      'load',
      'go',
      'go',
    ])
  })
})
