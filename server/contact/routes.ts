// The platform's contact links, as CONTACT_LINKS gives them.
import { listContactLinks } from '#contract/organization.ts'
import type { App } from '../context.ts'
import { handlePublic, type Route } from '../http/handle.ts'

export function contactRoutes(app: App): Route[] {
  return [handlePublic(app, listContactLinks, () => Promise.resolve([...app.config.contact_links]))]
}
