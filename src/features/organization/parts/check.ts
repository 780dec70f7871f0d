// What a schema of the contract says about a form's values before anything is sent.
import type * as z from 'zod/mini'

/** Field → its first message; empty when everything fits. */
export function fieldMessages(schema: z.ZodMiniType, values: unknown): Record<string, string> {
  const found: Record<string, string> = {}
  for (const issue of schema.safeParse(values).error?.issues ?? [])
    found[issue.path.join('.')] ??= issue.message
  return found
}
