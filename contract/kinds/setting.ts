// How a setting of a kind is described: what it may be, and what holds when it is not written.
import * as z from 'zod/mini'

/** `starts`: left out, it is this. `filled`: left out, the server decides. `told`: never written, only read. */
export interface Setting<S extends z.ZodMiniType = z.ZodMiniType> {
  is: S
  starts?: unknown
  filled?: true
  told?: true
}
export type Settings = Record<string, Setting>

/** Has to be written. */
export const asked = <S extends z.ZodMiniType>(is: S) => ({ is })
export const starts = <S extends z.ZodMiniType, V extends z.input<S>>(is: S, value: V) => ({
  is,
  starts: value,
})
export const filled = <S extends z.ZodMiniType>(is: S) => ({ is, filled: true as const })
export const told = <S extends z.ZodMiniType>(is: S) => ({ is, told: true as const })

type Stored<T extends Settings> = { [K in keyof T]: T[K]['is'] }
/** The fields that may be changed, by their names. */
type Writable<T extends Settings> = {
  [K in keyof T as T[K] extends { told: true } ? never : K]: T[K]['is']
}
/** Of a table over the settings that a person sets: one line each. */
export type WritableName<T extends Settings> = keyof Writable<T> & string
type Written<T extends Settings> = {
  [K in keyof Writable<T>]: T[K] extends { starts: unknown }
    ? z.ZodMiniDefault<T[K]['is']>
    : T[K] extends { filled: true }
      ? z.ZodMiniOptional<T[K]['is']>
      : T[K]['is']
}

const mapped = (settings: Settings, to: (setting: Setting) => z.ZodMiniType) =>
  Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, to(setting)]))
const writable = (settings: Settings) =>
  Object.fromEntries(Object.entries(settings).filter(([, setting]) => !setting.told))

/** The fields as they are stored and read. */
export function storedOf<T extends Settings>(settings: T): Stored<T> {
  return mapped(settings, ({ is }) => is) as Stored<T>
}

/** The fields that may be changed. */
export function writableOf<T extends Settings>(settings: T): Writable<T> {
  return mapped(writable(settings), ({ is }) => is) as Writable<T>
}

/** The fields as a new strategy writes them. */
export function writtenOf<T extends Settings>(settings: T): Written<T> {
  return mapped(writable(settings), (setting) => {
    if ('starts' in setting) return z._default(setting.is, setting.starts)
    return setting.filled ? z.optional(setting.is) : setting.is
  }) as unknown as Written<T>
}

/** What each setting that starts with something starts with. */
type Starts<T extends Settings> = {
  [K in keyof T as T[K] extends { starts: unknown } ? K : never]: z.output<T[K]['is']>
}

/** What is not stored is this: the settings that start with something. */
export function startsOf<T extends Settings>(settings: T): Starts<T> {
  const entries = Object.entries(settings).filter(([, setting]) => 'starts' in setting)
  return Object.fromEntries(entries.map(([key, { starts }]) => [key, starts])) as Starts<T>
}
