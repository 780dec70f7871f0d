// Takes rows off this device: whole contexts, or single strategies with every kept answer that speaks of them.

import { type Ctx, orgOf } from '../context.ts'
import { keys, textUnder } from '../keys.ts'
import { type Gone, sweepTold } from '../query.ts'
import type { DeviceDatabase } from './db.ts'
import type { EndedLeases } from './leases.ts'

/** Every key that begins so: an array stands after every text and number. */
const recordsOf = (db: DeviceDatabase, ctx: Ctx) =>
  db.signals.where('[ctx+occurred_at+seq]').between([ctx], [ctx, []])

/** Everything of a context but what waits to be sent: that stays visible to its author (ruling A14). */
export async function sweepContext(db: DeviceDatabase, ctx: Ctx): Promise<void> {
  await Promise.all([
    recordsOf(db, ctx).delete(),
    db.answers.where('ctx').equals(ctx).delete(),
    db.meta.where('ctx').equals(ctx).delete(),
    sweepInbox(db, ({ organization_id }) => organization_id === orgOf(ctx)),
  ])
}

/** Of what was told to the person, which stands under the person, the part that `gone` names. */
async function sweepInbox(db: DeviceDatabase, gone: Gone): Promise<void> {
  const told = await db.answers.where('key').startsWith(textUnder(keys.person.notifications)).toArray()
  await db.answers.bulkPut(told.filter((row) => sweepTold(row, gone)))
}

/** Of a context the strategies that `gone` names: records, and answers in which their ids stand. */
export async function sweepStrategies(
  db: DeviceDatabase,
  ctx: Ctx,
  gone: (strategy_id: string) => boolean,
): Promise<void> {
  const found = new Set<string>()
  await recordsOf(db, ctx)
    .filter(({ strategy_id }) => {
      if (gone(strategy_id)) found.add(strategy_id)
      return found.has(strategy_id)
    })
    .delete()
  await sweepAnswers(db, ctx, [...found])
}

/** Kept answers of a context in which one of these ids stands. */
export async function sweepAnswers(db: DeviceDatabase, ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sweepInbox(db, ({ strategy_id }) => ids.includes(strategy_id ?? ''))
  await db.answers
    .where('ctx')
    .equals(ctx)
    .filter(({ data }) => {
      const text = JSON.stringify(data) ?? ''
      return ids.some((id) => text.includes(id))
    })
    .delete()
}

/** Before anybody reads: what ended while nobody looked. */
export async function sweepEnded(db: DeviceDatabase, { contexts, strategies }: EndedLeases): Promise<void> {
  for (const ctx of contexts) await sweepContext(db, ctx)
  for (const ctx of new Set(strategies.map((one) => one.ctx))) {
    const ids = strategies.flatMap((one) => (one.ctx === ctx ? [one.strategy_id] : []))
    await sweepStrategies(db, ctx, (id) => ids.includes(id))
    await sweepAnswers(db, ctx, ids)
  }
}

/** Says that no copy here was read before members were spared what lies before their first day; src/early.ts reads it, too. */
const VEILED = 'veiled'

/**
 * Copies of organizations from earlier builds go, once: they may hold voids, prices and results from before a member's first
 * day (docs/decisions/access.md). They are read anew; the person's own, and what waits to be sent, stay.
 */
export async function sweepUnveiled(db: DeviceDatabase): Promise<void> {
  if (await db.meta.get(VEILED)) return
  const keys = await Promise.all([
    db.signals.orderBy('[ctx+id]').keys(),
    db.answers.orderBy('ctx').uniqueKeys(),
    db.meta.orderBy('ctx').uniqueKeys(),
  ])
  const contexts = new Set(keys.flat().map((key) => (Array.isArray(key) ? key[0] : key) as Ctx))
  for (const ctx of contexts) if (ctx !== 'personal') await sweepContext(db, ctx)
  await db.meta.put({ key: VEILED, ctx: 'personal', value: true })
}
