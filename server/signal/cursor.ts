// Opaque cursors of lists that grow at one end.
import { invalid } from '#contract/errors.ts'

/** A cursor that means a number. */
export function cursorOf(place: number): string {
  return Buffer.from(`n${place}`).toString('base64url')
}

/** The number a cursor means, null for none; 4220 for one this server never gave (`most`: what the column holds). */
export function readCursor(cursor: string | undefined, most = Number.MAX_SAFE_INTEGER): number | null {
  if (cursor === undefined || cursor === '') return null
  const [, digits] = /^n(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (digits === undefined || Number(digits) > most) throw invalid({ before: '游標不正確，請從頭讀取' })
  return Number(digits)
}
