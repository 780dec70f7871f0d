// Long lists as answers: checked and written in pieces, so that a page of a thousand holds nobody up.
import type { App } from '../context.ts'
import { partsOf } from '../parts.ts'

/** Items in one piece. */
const PART = 200
const NAME = '"items":['

interface Long {
  items: readonly unknown[]
}

/** Whether this is work for more than one piece. */
export function isLong(result: unknown): result is Long {
  const { items } = result as Partial<Long>
  return Array.isArray(items) && items.length > PART
}

/** The same text as `JSON.stringify(write(result))`, a part of the items in each of the account's turns. */
export async function writeLong(
  app: Pick<App, 'background'>,
  account: string,
  result: Long,
  write: (part: Long) => unknown,
): Promise<string> {
  const textOf = (items: readonly unknown[]) => JSON.stringify(write({ ...result, items }))
  const empty = textOf([])
  // No text holds a quotation mark as it is: this is the key of a list, and the first of its name is the answer's own.
  const place = empty.indexOf(NAME) + NAME.length
  const [before, after] = [empty.slice(0, place), empty.slice(place)]
  const parts: string[] = []
  for (const some of partsOf(result.items, PART))
    parts.push(await app.background.piece(account, () => textOf(some).slice(before.length, -after.length)))
  return before + parts.join(',') + after
}
