// The day's chain heads for those who want them: once a day after the day session, so that an old head convicts a rewritten history.
import { addDays, instantOf, taipei } from '#trading/calendar.ts'
import { contextsOf } from '../../../access/everywhere.ts'
import { visibleSignals, visibleStrategies } from '../../../access/strategies.ts'
import type { Actor, App } from '../../../context.ts'
import type { ChannelReceiverRow } from '../../../db/schema-notify.ts'
import { mutedUntil, openReceiver, setConfig } from '../../receivers.ts'
import { wishesOf } from '../../settings.ts'
import { reasonOf, resultOf } from './answer.ts'
import type { Bot } from './bot.ts'
import { inThread } from './chats.ts'
import { pagesOf } from './pages.ts'

const AFTER = '14:00'

/** How often it is looked for. */
const EVERY_MS = 60_000
const looked = new WeakMap<App['config'], number>()

/** From when on records are new to somebody who begins now: the last time heads were due before today's. */
export function headsSince(now: string): string {
  return instantOf(addDays(taipei(now).date, -1), AFTER)
}

/** Sends what is due today. Who could not be reached is tried again with the next round. */
export async function sendHeads(app: App, bot: Bot, signal: AbortSignal): Promise<void> {
  const now = new Date(app.now()).toISOString()
  const due = instantOf(taipei(now).date, AFTER)
  if (now < due || app.now() - (looked.get(app.config) ?? 0) < EVERY_MS) return
  looked.set(app.config, app.now())
  const rows = await app.db
    .selectFrom('channel_receivers')
    .selectAll()
    .where('channel', '=', 'telegram')
    .where('state', '=', 'bound')
    .where('config', 'is not', null)
    .orderBy('id')
    .execute()
  for (const row of rows) {
    if (signal.aborted) return
    const receiver = openReceiver(app, row)
    const { heads, heads_until } = receiver.config
    // Silent as it was told to be: they come when that is over.
    if (mutedUntil(receiver, now) !== null) continue
    if (heads === true && !(typeof heads_until === 'string' && heads_until >= due))
      await sendTo(app, bot, row, String(heads_until), now, signal)
  }
}

async function sendTo(
  app: App,
  { api, speaker }: Bot,
  row: ChannelReceiverRow,
  since: string,
  now: string,
  signal: AbortSignal,
): Promise<void> {
  const { address, config } = openReceiver(app, row)
  try {
    for (const text of await textsOf(app, row.uid, since, now)) {
      await speaker.turn(address)
      await api.sendMessage(address, text, inThread(config['thread']), signal as never)
    }
  } catch (error) {
    app.log.warn({ reason: reasonOf(error) }, 'telegram: heads of a day not sent')
    if (resultOf(error).kind === 'again' || signal.aborted) return
  }
  await setConfig(app, app.db, row, { heads_until: now })
}

async function textsOf(app: App, uid: string, since: string, now: string): Promise<string[]> {
  // Names of strategies are more than somebody wants said who has it say only that something is there.
  const named = (await wishesOf(app.db, [uid]))(uid).privacy.telegram === 'full'
  const lines: string[] = []
  for (const { actor } of await contextsOf(app, uid))
    for (const { id, name, chain_seq, hash } of await headsOf(app, actor, since))
      lines.push(`${named ? name : id.slice(-8)} #${chain_seq}\n${hash}`)
  return pagesOf(`${taipei(now).date} 紀錄指紋（策略 #最後一筆 與它的雜湊）`, lines)
}

/** The last record that this person may see of each strategy with new ones since. */
async function headsOf({ db }: App, actor: Actor, since: string) {
  const last = await visibleSignals(db, actor)
    .select(({ fn }) => ['signals.strategy_id', fn.max('signals.chain_seq').as('chain_seq')])
    .where('signals.received_at', '>', since)
    .groupBy('signals.strategy_id')
    .execute()
  if (last.length === 0) return []
  const names = await visibleStrategies(db, actor).select(['strategies.id', 'strategies.name']).execute()
  const name_of = new Map(names.map(({ id, name }) => [id, name]))
  const heads = []
  for (const { strategy_id, chain_seq } of last) {
    const { hash } = await db
      .selectFrom('signals')
      .select('hash')
      .where('strategy_id', '=', strategy_id)
      .where('chain_seq', '=', chain_seq)
      .executeTakeFirstOrThrow()
    heads.push({ id: strategy_id, name: name_of.get(strategy_id) ?? '', chain_seq, hash })
  }
  return heads.sort((a, b) => (a.name < b.name ? -1 : 1))
}
