// The calls on organizations.

import { readAccessLog } from '#contract/access.ts'
import { invalid } from '#contract/errors.ts'
import { AVATAR_PX } from '#contract/limits.ts'
import {
  createOrganization,
  deleteOrganization,
  getOrganization,
  listMyOrganizations,
  listOrganizationStrategies,
  updateOrganization,
  uploadLogo,
} from '#contract/organization.ts'
import { readOrganizationUsage } from '#contract/usage.ts'
import { taipei } from '#trading/calendar.ts'
import { holdOrganization, membershipIn, organizationOf } from '../access/organization.ts'
import type { App } from '../context.ts'
import { keepImage, storeImage, undoImage } from '../file/store.ts'
import { handle, type Route } from '../http/handle.ts'
import { usageOfOrganization } from '../usage/usage.ts'
import { readLog } from './access-log.ts'
import { dissolve } from './dissolve.ts'
import { listMine } from './mine.ts'
import { presentOrganization } from './present.ts'
import { insertOrganization, setLogo, updateOrganizationRow } from './store.ts'
import { listStrategies } from './strategies.ts'

/** Organizations: mine, one, create, update, dissolve, their strategies. */
export function organizationRoutes(app: App): Route[] {
  return [
    handle(app, listMyOrganizations, ({ tx, actor }) => listMine(tx.db, actor.uid, taipei(tx.at).date)),
    handle(app, getOrganization, async ({ tx, actor, input }) => {
      const { role } = await membershipIn(tx, actor, input.id)
      const row = await tx.db
        .selectFrom('organizations')
        .selectAll()
        .where('id', '=', input.id)
        .executeTakeFirstOrThrow()
      return presentOrganization(tx.db, row, role, tx.at)
    }),
    handle(app, createOrganization, {
      async prepare({ actor, input: { logo } }) {
        await app.limits.take('organization_create', actor.uid)
        if (logo === null) return null
        await app.limits.take('image', actor.uid)
        const bytes = Buffer.from(logo.slice(logo.indexOf(',') + 1), 'base64')
        return storeImage(app, bytes, { max_px: AVATAR_PX, square: true })
      },
      async run({ tx, actor, input, prepared }) {
        const row = await insertOrganization(tx, actor, { ...input, logo: prepared?.url ?? null })
        if (prepared) await keepImage(tx, prepared, { scope: `o:${row.id}`, kind: 'logo', uid: actor.uid })
        return presentOrganization(tx.db, row, 'admin', tx.at)
      },
      undo: undoImage,
    }),
    handle(app, updateOrganization, async ({ tx, actor, input: { id, ...changes } }) => {
      const row = await holdOrganization(app, tx, actor, id, 'organization:edit')
      const next = await updateOrganizationRow(app, tx, row, changes)
      return presentOrganization(tx.db, next, 'admin', tx.at)
    }),
    handle(app, uploadLogo, {
      async prepare({ actor, input }) {
        organizationOf(actor, input.id)
        await app.limits.take('image', actor.uid)
        return storeImage(app, input.image, { max_px: AVATAR_PX, square: true })
      },
      async run({ tx, actor, input, prepared }) {
        const row = await holdOrganization(app, tx, actor, input.id, 'organization:edit')
        await keepImage(tx, prepared, { scope: `o:${row.id}`, kind: 'logo', uid: actor.uid })
        await setLogo(app, tx, row, prepared.url)
        return { logo: prepared.url }
      },
      undo: undoImage,
    }),
    handle(app, deleteOrganization, async ({ tx, actor, input }) => {
      const row = await holdOrganization(app, tx, actor, input.id, 'organization:delete')
      if (input.name.normalize('NFC') !== row.name.normalize('NFC'))
        throw invalid({ name: `名稱不符，請輸入「${row.name}」` })
      await dissolve(app, tx, row)
      return null
    }),
    handle(app, listOrganizationStrategies, async ({ tx, actor, input }) => {
      organizationOf(actor, input.id)
      const { items, total } = await listStrategies(tx.db, actor, input)
      return { items, total, page: input.page, page_size: input.page_size }
    }),
    handle(app, readOrganizationUsage, ({ tx, actor, input }) =>
      usageOfOrganization(tx.db, organizationOf(actor, input.id)),
    ),
    handle(app, readAccessLog, ({ tx, actor, input }) => {
      organizationOf(actor, input.id)
      return readLog(tx.db, input, tx.at)
    }),
  ]
}
