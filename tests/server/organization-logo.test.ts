// The picture of an organization: brought by its admins only, replaced, gone with the organization.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOGO_SIGNS } from '#contract/limits.ts'
import {
  createOrganization,
  deleteOrganization,
  getOrganization,
  listMyOrganizations,
  uploadLogo,
} from '#contract/organization.ts'
import { refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { PIXEL } from '#tests/support/matrix.ts'
import { type Office, openOffice } from '#tests/support/office.ts'

describeEngines('organization: logo', (engine) => {
  let office: Office
  beforeAll(async () => {
    office = await openOffice(engine)
  })
  afterAll(() => office.server.close())
  const exists = (url: string) => existsSync(join(office.server.data_dir, url))
  const id = () => office.organization.id

  test('it comes along when the organization is made; what is no picture makes none', async () => {
    const { admin } = office
    const base64 = Buffer.from(PIXEL).toString('base64')
    for (const logo of [base64, `data:image/png;base64,${base64}`]) {
      const made = await admin.call(createOrganization, { name: '帶著標誌', logo })
      expect(made.logo).toMatch(/^\/files\/[0-9a-f]{40}\.webp$/)
      expect((await office.server.request(made.logo as string)).status).toBe(200)
      await admin.call(deleteOrganization, { id: made.id, name: '帶著標誌' }, { 'lb-org-id': made.id })
      await expect.poll(() => exists(made.logo as string)).toBe(false)
    }
    const before = await admin.call(listMyOrganizations, {})
    for (const [logo, code] of [
      [Buffer.from('<h1>').toString('base64'), 4150],
      ['not base64!', 4220],
      ['data:text/html;base64,PGgxPg==', 4220],
      ['A'.repeat(LOGO_SIGNS + 4), 4220],
    ] as const)
      expect(
        (await refused(admin.call(createOrganization, { name: '不成', logo }))).code,
        logo.slice(0, 20),
      ).toBe(code)
    expect(await admin.call(listMyOrganizations, {})).toEqual(before)
  })

  test('a new one takes the place of the old file and goes with the organization; members bring none', async () => {
    const { admin, server } = office
    const member = await office.join('成員')
    const first = (await office.inside(admin, uploadLogo, { id: id(), image: PIXEL })).logo
    expect(first).toMatch(/^\/files\/[0-9a-f]{40}\.webp$/)
    expect(await office.inside(member, getOrganization, { id: id() })).toMatchObject({ logo: first })
    const second = (await office.inside(admin, uploadLogo, { id: id(), image: PIXEL })).logo
    await expect.poll(() => exists(first)).toBe(false)
    expect((await server.request(second)).status).toBe(200)

    expect((await refused(office.inside(member, uploadLogo, { id: id(), image: PIXEL }))).code).toBe(4030)
    expect((await refused(admin.call(uploadLogo, { id: id(), image: PIXEL }))).status).toBeGreaterThan(400)
    const text = new Uint8Array([60, 104, 49, 62])
    expect((await refused(office.inside(admin, uploadLogo, { id: id(), image: text }))).code).toBe(4150)
    expect(await office.inside(admin, getOrganization, { id: id() })).toMatchObject({ logo: second })

    await office.inside(admin, deleteOrganization, { id: id(), name: office.organization.name })
    await expect.poll(() => exists(second)).toBe(false)
    expect(await server.app.db.selectFrom('files').select('name').execute()).toEqual([])
  })
})
