// The word that Telegram says with each update it sends here: made from this server's key, so that nothing has to be kept.
import { timingSafeEqual } from 'node:crypto'
import type { App } from '../../../context.ts'

type Ground = Pick<App, 'keys'>

/** 43 letters that a header may carry. */
export function secretOf({ keys }: Ground): string {
  return Buffer.from(keys.purpose('telegram updates')).toString('base64url')
}

/** Whether a header says it; as long for a wrong one as for the right one. */
export function isSecret(app: Ground, said: string | null): boolean {
  const right = Buffer.from(secretOf(app))
  const given = Buffer.from(said ?? '')
  return given.length === right.length && timingSafeEqual(given, right)
}
