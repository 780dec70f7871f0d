// Organizations as the profile names them; their own calls come with the organization screens.
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
