// PUT and DELETE /notification-channels/{channel}: the address somebody typed, which strategies go there, its secret.
import type { AddressedChannel } from '#contract/channels.ts'
import { invalid } from '#contract/errors.ts'
import { deleteChannel, type NotificationChannel, updateChannel } from '#contract/notification.ts'
import { scopesOf } from '../../access/actor.ts'
import type { App, Tx } from '../../context.ts'
import { held } from '../../db/query.ts'
import { handle, type Route } from '../../http/handle.ts'
import type { Receiver, TypedAddress } from '../channel.ts'
import { channelStates } from '../channel-state.ts'
import { openReceiver, setConfig, storeReceiver } from '../receivers.ts'
import { newSecret, rotated, secretsOf } from './webhook/channel.ts'

export function addressedRoutes(app: App): Route[] {
  return [
    handle(app, updateChannel, {
      async prepare({ input: { channel, address, strategies }, actor }) {
        if (strategies) await requireSeen(app, actor.uid, strategies)
        if (address === undefined) return null
        await app.limits.take('channel_address', actor.uid)
        const checked = await typedOf(app, channel).check(app, address)
        if ('wrong' in checked) throw invalid({ address: checked.wrong })
        return checked
      },
      async run({ input: { channel, strategies, rotate }, actor: { uid }, tx, prepared }) {
        const typed = typedOf(app, channel)
        if (rotate && !typed.signed) throw invalid({ rotate: '這個通道沒有簽章密鑰' })
        const row = await findOwn(app, tx, uid, channel)
        const current = row ? openReceiver(app, row) : null
        const { address, name } = prepared ?? current ?? {}
        if (address === undefined) throw invalid({ address: '請填網址' })
        // Which strategies go there says nothing of whether anybody takes them: an address that was lost stays lost.
        if (row && strategies !== undefined && prepared === null && !rotate) {
          await setConfig(app, tx.db, row, { strategies })
          return changed(app, tx, uid, channel)
        }
        const secrets = typed.signed ? secretsFor(current, rotate === true, app.now()) : null
        const chosen = strategies === undefined ? (current?.config['strategies'] ?? null) : strategies
        await storeReceiver(app, tx.db, tx.at, {
          ...{ uid, channel, address, name: name ?? null },
          // One of each person: nobody takes away somebody else's by entering the same address.
          same: uid,
          config: { strategies: chosen, ...secrets?.kept },
        })
        return {
          ...(await changed(app, tx, uid, channel)),
          ...(secrets?.shown && { secret: secrets.shown }),
        }
      },
    }),
    handle(app, deleteChannel, async ({ input: { channel }, actor: { uid }, tx }) => {
      const row = await findOwn(app, tx, uid, channel)
      if (!row) return null
      await tx.db.deleteFrom('channel_receivers').where('id', '=', row.id).execute()
      await tx.append(`p:${uid}`, 'telegram', { change: channel })
      return null
    }),
  ]
}

/** Tells of the change; gives the channel as the list of channels shows it: without what would let anybody write there. */
async function changed(app: App, tx: Tx, uid: string, channel: AddressedChannel) {
  await tx.append(`p:${uid}`, 'telegram', { change: channel })
  const all = await channelStates(app, tx.db, uid)
  return all.find((one) => one.channel === channel) as NotificationChannel
}

/** What is kept of the secrets, and the one to show: a new one, once. */
function secretsFor(current: Receiver | null, rotate: boolean, now_ms: number) {
  const before = current && secretsOf(current.config)
  if (!before) {
    const secret = newSecret()
    return { kept: { secret }, shown: secret }
  }
  if (!rotate) return { kept: { secret: before.secret, ...(before.old && { old: before.old }) }, shown: null }
  const kept = rotated(before, now_ms)
  return { kept, shown: kept.secret }
}

function typedOf(app: App, channel: AddressedChannel): TypedAddress {
  const typed = app.channels[channel].typed
  if (!typed) throw new Error(`${channel} takes no address, although contract/channels.ts says so`)
  return typed
}

/** The person's receiver, held: two changes at the same time come one after the other. */
async function findOwn(app: App, tx: Tx, uid: string, channel: AddressedChannel) {
  await held(app, tx.db.selectFrom('users').select('id').where('id', '=', uid)).execute()
  return tx.db
    .selectFrom('channel_receivers')
    .selectAll()
    .where('uid', '=', uid)
    .where('channel', '=', channel)
    .executeTakeFirst()
}

/** Refuses strategies that the person may not see today, in whichever context. */
async function requireSeen(app: App, uid: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) throw invalid({ strategies: '請至少選一個策略，或選「全部」' })
  const scopes = await scopesOf(app, uid)
  const rows = await app.db
    .selectFrom('strategies')
    .select(['id', 'scope'])
    .where('id', 'in', [...ids])
    .where('deleted_at', 'is', null)
    .execute()
  const seen = rows.filter(({ id, scope }) => {
    const hearing = scopes.get(scope as `p:${string}`)
    return hearing !== undefined && (hearing.access === null || hearing.access.has(id))
  })
  if (seen.length < new Set(ids).size) throw invalid({ strategies: '其中有你看不到的策略，請重新選擇' })
}
