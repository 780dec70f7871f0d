// A chat that was told to be silent for a while: until when, as its receiver keeps it. It is no way to the person meanwhile.
import { taipei } from '#trading/calendar.ts'
import type { Receiver } from './channel.ts'

/** The instant until which nothing goes there, null when it is open. */
export function mutedUntil({ config }: Pick<Receiver, 'config'>, now: string): string | null {
  const until = config['muted_until']
  return typeof until === 'string' && until > now ? until : null
}

/** `11/23 12:00` in Taipei. */
export function dayAndTime(at: string): string {
  const { date, time } = taipei(at)
  return `${date.slice(5).replace('-', '/')} ${time.slice(0, 5)}`
}
