// The moment that the address names: a day, and a time of it.
import { taipei } from '#text/time.ts'
import { isDay } from '#ui/day.ts'

/** `at` absent is now. `error` says why the address names none, at its field. */
export type Moment = { at?: string; error?: { on?: string; time?: string } }

/** A day without a time means its end: everything of it has happened. Today means now. */
export function momentOf(on: string | undefined, time: string | undefined, now: number): Moment {
  if (!on && !time) return {}
  const today = taipei(now).day
  const day = on || today
  if (!isDay(day)) return { error: { on: '沒有這一天，請寫成 2026/12/31' } }
  if (day > today) return { error: { on: '這一天還沒有到，請選今天或更早' } }
  if (!time) return day === today ? {} : { at: new Date(`${day}T23:59:59.999+08:00`).toISOString() }
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) return { error: { time: '時間請寫成 09:30' } }
  const at = new Date(`${day}T${time}:00.000+08:00`)
  if (at.getTime() > now) return { error: { time: '這個時刻還沒有到' } }
  return { at: at.toISOString() }
}
