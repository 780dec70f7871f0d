// The picture of an organization: brought by its admins only, replaced, gone with the organization.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteOrganization, getOrganization, uploadLogo } from '#contract/organization.ts'
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
