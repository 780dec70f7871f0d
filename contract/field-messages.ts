// What a schema says of an input, one message per field: the form before it is sent and the server in its refusal say the same.
import type * as z from 'zod/mini'

/** Dotted path → its first message, of what did not fit; empty when everything did. */
export function fieldMessagesOf(error: z.core.$ZodError | undefined): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { path, message } of error?.issues ?? []) found[path.join('.')] ??= message
  return found
}

/** The same of values that are checked here. */
export function fieldMessages(schema: z.ZodMiniType, values: unknown): Record<string, string> {
  return fieldMessagesOf(schema.safeParse(values).error)
}
