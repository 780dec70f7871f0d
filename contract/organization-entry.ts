// An organization as the profile names it: in a file of its own, because every start of the app reads profiles.
import * as z from 'zod/mini'
import { day, id } from './fields.ts'
import { ROLES } from './permissions.ts'

export const organization_entry = z.object({
  id: id(),
  name: z.string(),
  role: z.enum(ROLES),
  logo: z.nullable(z.string()),
  expires_on: z.nullable(day()),
})
export type OrganizationEntry = z.infer<typeof organization_entry>
