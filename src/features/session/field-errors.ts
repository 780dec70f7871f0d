// What a schema of the contract says about a form's values, one message per field.
import type * as z from 'zod/mini'

/** Field path → its first message; empty when everything fits. */
export function fieldErrors(schema: z.ZodMiniType, values: unknown): Record<string, string> {
  const { error } = schema.safeParse(values)
  const found: Record<string, string> = {}
  for (const issue of error?.issues ?? []) found[issue.path.join('.')] ??= issue.message
  return found
}

/** Puts the focus on the first field with an error, once React has marked it. */
export function focusFirstError(form: HTMLFormElement | null): void {
  setTimeout(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}
