// What a schema says of an input, one message per field: the form before it is sent and the server in its refusal say the same.
import type * as z from 'zod/mini'

/** Dotted path → its first message, of what did not fit; empty when everything did. */
export function fieldMessagesOf(error: z.core.$ZodError | undefined): Record<string, string> {
  const found: Record<string, string> = {}
  for (const issue of error?.issues ?? []) {
    // Keys that nothing has are told by the name of what they stand in.
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [null]
    for (const name of names)
      found[[...issue.path, ...(name === null ? [] : [name])].join('.')] ??= issue.message
  }
  return found
}

/** The same of values that are checked here. */
export function fieldMessages(schema: z.ZodMiniType, values: unknown): Record<string, string> {
  return fieldMessagesOf(schema.safeParse(values).error)
}
