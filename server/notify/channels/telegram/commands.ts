// What the bot does when it is asked: only for the one who bound the chat, and only what that person may see today.
import type { PrivacyLevel } from '#contract/channels.ts'
import { CHAT_TEXT } from '#contract/limits.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { addDays, instantOf, taipei, tradingSessionAt } from '#trading/calendar.ts'
import { amountSum } from '#trading/day.ts'
import { assetOf } from '#trading/kinds.ts'
import { contractWord } from '#trading/products.ts'
import type { Position, StrategyKind } from '#trading/record.ts'
import { positionText, quantityWords, STATUS_WORDS, signalWords } from '#trading/record-words.ts'
import { number, price, signed } from '#trading/written.ts'
import { contextsOf, type NamedContext } from '../../../access/actor.ts'
import { visibleSignals, visibleStrategies } from '../../../access/strategies.ts'
import type { Actor, App, Tx } from '../../../context.ts'
import { held } from '../../../db/query.ts'
import type { ChannelReceiverRow } from '../../../db/schema.ts'
import { closedDays } from '../../../record/calendar.ts'
import { RECORD_COLUMNS } from '../../../record/records.ts'
import { showSignals } from '../../../record/visibility.ts'
import { makeTicket } from '../../../sso/flow.ts'
import { receiverOf, setState, takeCode } from '../../binding.ts'
import { dayAndTime, mutedUntil, openReceiver, setConfig } from '../../receivers.ts'
import { wishesOf } from '../../settings.ts'
import { type Asker, type Bot, inThread, type Reply, reasonOf, resultOf } from './bot.ts'

/** What is left to do of an update when everything has been read: writing, and what to say afterwards. */
export type UpdatePlan = (tx: Tx) => Promise<Reply[]>
export const SILENT: UpdatePlan = () => Promise.resolve([])

interface Asked {
  readonly name: string
  readonly rest: string
}
/** Asked by the person in their own chat. */
interface Own extends Asked {
  readonly asker: Asker
  readonly row: ChannelReceiverRow
}
type Command = (app: App, own: Own) => Promise<(tx: Tx) => Promise<string | readonly string[]>>

const answerWith = (text: string | readonly string[]) => () => Promise.resolve(text)

const COMMANDS: Readonly<Record<string, Command>> = {
  start: async (_app, { asker }) => answerWith(words.help(asker.group)),
  help: async (_app, { asker }) => answerWith(words.help(asker.group)),
  today: async (app, { row }) => answerWith(await todayTexts(app, row.uid)),
  positions: async (app, { row }) => answerWith(await positionsTexts(app, row.uid)),
  async mute(app, { row, rest }) {
    const until = muteEnd(rest, app.now())
    if (until === null) return answerWith(words.HOW_TO_MUTE)
    return async (tx) => {
      await setConfig(app, tx.db, row, { muted_until: until })
      await tx.append(`p:${row.uid}`, 'telegram', { change: 'muted' })
      return words.muted(dayAndTime(until))
    }
  },
  unmute:
    async (app, { row }) =>
    async (tx) => {
      await setConfig(app, tx.db, row, { muted_until: null })
      await tx.append(`p:${row.uid}`, 'telegram', { change: 'unmuted' })
      return words.UNMUTED
    },
  async heads(app, { row, rest }) {
    const wish = rest.toLowerCase()
    if (wish !== 'on' && wish !== 'off')
      return answerWith(words.heads(openReceiver(app, row).config['heads'] === true))
    return async (tx) => {
      await setConfig(app, tx.db, row, { heads: wish === 'on', heads_until: headsSince(tx.at) })
      return wish === 'on' ? words.HEADS_ON : words.HEADS_OFF
    }
  },
  async app(app, { asker, row }) {
    if (asker.group) return answerWith(words.NOT_IN_GROUPS)
    if ((await app.limits.wait('bot_ticket', row.uid)) > 0) return answerWith(words.TOO_MANY)
    return async (tx) => {
      if (!(await mayOpen(app, tx, row))) return words.doubted(sheetOf(app))
      const ticket = await makeTicket(tx, 'telegram', row.uid, { receiver_id: row.id })
      return words.signIn(`${app.config.public_url}/token-login?ticket=${ticket}`)
    }
  },
}

/** Whether the chat still opens sessions; its row is held until the commit, as a change of the password does. */
async function mayOpen(app: App, tx: Tx, { id, uid }: ChannelReceiverRow): Promise<boolean> {
  const own = tx.db
    .selectFrom('channel_receivers')
    .select('doubted')
    .where('id', '=', id)
    .where('uid', '=', uid)
  return (await held(app, own).executeTakeFirst())?.doubted === 0
}

/** A command in a chat, whoever's it is. */
export async function commandPlan(app: App, asker: Asker, asked: Asked): Promise<UpdatePlan> {
  const { chat, group, by, thread } = asker
  if (asked.name === 'start' && asked.rest !== '') return startPlan(app, asker, asked.rest, false)
  const command = COMMANDS[asked.name]
  // Groups have other bots, too.
  if (!command && group) return SILENT
  const row = await receiverOf(app, app.db, 'telegram', chat)
  if (!row || row.state === 'gone') return only(asker, words.unbound(app.config.public_url))
  if (group && openReceiver(app, row).config['by'] !== by) return only(asker, words.NOT_YOURS)
  const write = command ? await command(app, { ...asked, asker, row }) : answerWith(words.help(group))
  return async (tx) => {
    // Who speaks to the bot has let it in again.
    if (row.state !== 'bound') await setState(tx, row, 'bound', null)
    return [await write(tx)].flat().map((text) => ({ chat, thread, text }))
  }
}

/** A code from a link. `anyway`: the button was pressed that takes the chat over from another account. */
export async function startPlan(app: App, asker: Asker, code: string, anyway: boolean): Promise<UpdatePlan> {
  const { chat, by, name, group, thread } = asker
  const reply = (text: string): Reply => ({ chat, thread, text })
  const receiver = await receiverOf(app, app.db, 'telegram', chat)
  const mine = !group || !receiver || openReceiver(app, receiver).config['by'] === by
  return async (tx) => {
    const to = {
      channel: 'telegram',
      address: chat,
      name,
      config: { by, thread, muted_until: null },
    } as const
    const bound = await takeCode(app, tx, to, code, anyway && mine)
    if (bound.kind === 'bound') return [reply(words.bound(bound.name, group))]
    if (bound.kind === 'waiting') return [reply(words.waiting(sheetOf(app)))]
    if (bound.kind !== 'taken') return [reply(words.NOT_BOUND[bound.kind])]
    if (!mine) return [reply(words.GROUP_TAKEN)]
    const button = { text: `改綁到 ${bound.name}`, callback_data: `${words.REBIND}${code}` }
    return [{ ...reply(words.taken(bound.name)), keyboard: { inline_keyboard: [[button]] } }]
  }
}

const sheetOf = ({ config }: Pick<App, 'config'>): string =>
  `${config.public_url}/signal-notification?tab=setting&channel=telegram`
const only = ({ chat, thread }: Asker, text: string): UpdatePlan => {
  return () => Promise.resolve([{ chat, thread, text }])
}

// How long a person wants to hear nothing, as they write it.

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const DEFAULT_MS = UNIT_MS.h
const MOST_MS = 7 * UNIT_MS.d
/** Before the market opens. */
const MORNING = '08:00'

/** The instant until which it is silent: `1h`, `30m`, `2d`, `until tomorrow`, `明天`, nothing = an hour; null when it is none of these. */
export function muteEnd(text: string, now_ms: number): string | null {
  const wish = text.trim().toLowerCase()
  if (/^(until )?tomorrow$|^(到)?明天(早上)?$/.test(wish))
    return instantOf(addDays(taipei(new Date(now_ms).toISOString()).date, 1), MORNING)
  const ms = wish === '' ? DEFAULT_MS : lengthOf(wish)
  return ms === null || ms <= 0 ? null : new Date(now_ms + Math.min(ms, MOST_MS)).toISOString()
}

function lengthOf(wish: string): number | null {
  const [, count, unit] = /^(\d{1,4})\s*(m|min|minutes?|分鐘?|h|hours?|小時|d|days?|天)$/.exec(wish) ?? []
  if (count === undefined || unit === undefined) return null
  const size = /^(h|小)/.test(unit) ? UNIT_MS.h : /^(d|天)/.test(unit) ? UNIT_MS.d : UNIT_MS.m
  return Number(count) * size
}

// What /today and /positions say: every context of the person, each strategy as far as it may be seen today, at the privacy level set.

/** Of each context; what is older stands in the app. */
const SHOWN = 10
/** Messages of one answer: beyond it the app is the place to look. */
const PAGES = 5
/** A day with more is summed up by the app alone. */
const SUMMED = 500

const HIDDEN = '你把 Telegram 的隱私設為只說「新訊號」，內容請到凌波看。'

/** Today's signals of every context, newest last; as many messages as it needs. */
async function todayTexts(app: App, uid: string): Promise<string[]> {
  const level = await levelOf(app, uid)
  if (level === 'new_only') return [HIDDEN]
  const now = new Date(app.now()).toISOString()
  // The night session already belongs to the next trading date.
  const { trading_date } = tradingSessionAt(now, { has_night: true, closed_days: closedDays(app) })
  const parts: string[] = []
  for (const standing of await contextsOf(app, uid))
    parts.push(...(await todayOf(app, standing, trading_date, level)))
  const head = `交易日 ${dayWord(trading_date)}`
  return parts.length === 0 ? [`${head}：還沒有訊號。`] : pagesOf(head, parts).slice(0, PAGES)
}

async function todayOf(
  app: App,
  { actor, name }: NamedContext,
  trading_date: string,
  level: PrivacyLevel,
): Promise<string[]> {
  const rows = await visibleSignals(app.db, actor)
    .select(RECORD_COLUMNS)
    .where('trading_date', '=', trading_date)
    .where('source', 'not in', ['void', 'correction'])
    .orderBy('seq', 'desc')
    .limit(SUMMED)
    .execute()
  if (rows.length === 0) return []
  const records = (await showSignals(app, app.db, actor, rows)).reverse()
  const names = await namesOf(app, { actor, name })
  const made = records.flatMap(({ derived }) => derived.realised_pnl ?? [])
  const pnl = level === 'full' && made.length > 0 ? ` · 已實現 ${signed(amountSum(made))} 元` : ''
  const count = rows.length === SUMMED ? `${SUMMED} 筆以上` : `${records.length} 筆`
  return [
    `\n〔${name}〕${count}${pnl}`,
    ...(records.length > SHOWN ? [`…較早的 ${number(records.length - SHOWN)} 筆請到凌波看`] : []),
    ...records.slice(-SHOWN).map((record) => lineOf(record, names, level)),
  ]
}

function lineOf(record: SignalRecord, names: ReadonlyMap<string, string>, level: PrivacyLevel): string {
  const { derived, asset, unit, quantity } = record
  const time = taipei(record.occurred_at).time.slice(0, 5)
  const product = record.symbol_name || record.symbol
  if (level !== 'full') return `${time} ${product}`
  const moved = Math.abs(derived.position_after - derived.position_before)
  const much = quantityWords(quantity ?? moved, unit)
  const at = derived.price_used ?? record.price
  const what = [
    time,
    names.get(record.strategy_id) ?? '',
    signalWords({ asset, ...derived }).word,
    product,
    `${much.quantity}${much.unit && ` ${much.unit}`}`,
    at === null ? STATUS_WORDS.pending_price : `@ ${price(at)}`,
    derived.status === 'price_suspect' ? STATUS_WORDS.price_suspect : '',
  ]
  return what.filter((part) => part !== '').join(' ')
}

/** Every open position of every context; as many messages as it needs. */
async function positionsTexts(app: App, uid: string): Promise<string[]> {
  const level = await levelOf(app, uid)
  if (level === 'new_only') return [HIDDEN]
  const parts: string[] = []
  for (const { actor, name } of await contextsOf(app, uid)) {
    const rows = await visibleStrategies(app.db, actor)
      .innerJoin('snapshots as folds', (join) =>
        join.onRef('folds.strategy_id', '=', 'strategies.id').on('folds.kind', '=', 'head'),
      )
      .select(['strategies.name', 'strategies.kind', 'folds.positions'])
      .where('folds.positions', '!=', '[]')
      .where('strategies.status', '!=', 'archived')
      .orderBy('strategies.name')
      .execute()
    if (rows.length === 0) continue
    parts.push(`〔${name}〕`)
    for (const row of rows)
      for (const position of JSON.parse(row.positions) as Position[])
        parts.push(level === 'full' ? positionLine(row, position) : position.symbol_name || position.symbol)
  }
  return parts.length === 0 ? ['目前沒有部位。'] : pagesOf('目前部位', parts).slice(0, PAGES)
}

function positionLine({ name, kind }: { name: string; kind: StrategyKind }, position: Position): string {
  const { symbol_name, symbol, contract, quantity, avg_price, unrealised_pnl } = position
  const what = [
    `${name}：${symbol_name || symbol}`,
    contractWord(contract),
    positionText(quantity, assetOf({ kind })),
    avg_price === null ? '' : `均價 ${price(avg_price)}`,
    unrealised_pnl === null ? '' : `未實現 ${signed(unrealised_pnl)} 元`,
  ]
  return what.filter((part) => part !== '').join(' ')
}

async function levelOf({ db }: Pick<App, 'db'>, uid: string): Promise<PrivacyLevel> {
  return (await wishesOf(db, [uid]))(uid).privacy.telegram
}

async function namesOf(
  { db }: Pick<App, 'db'>,
  { actor }: NamedContext,
): Promise<ReadonlyMap<string, string>> {
  const rows = await visibleStrategies(db, actor).select(['strategies.id', 'strategies.name']).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const dayWord = (day: string): string => day.slice(5).replace('-', '/')

// The day's chain heads for those who want them: once a day after the day session, so that an old head convicts a rewritten history.

const AFTER = '14:00'

/** How often it is looked for. */
const EVERY_MS = 60_000
const looked = new WeakMap<App['config'], number>()

/** From when on records are new to somebody who begins now: the last time heads were due before today's. */
function headsSince(now: string): string {
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
  { api, replies }: Bot,
  row: ChannelReceiverRow,
  since: string,
  now: string,
  signal: AbortSignal,
): Promise<void> {
  const { address, config } = openReceiver(app, row)
  try {
    for (const text of await textsOf(app, row.uid, since, now)) {
      await replies.turn(address)
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

// What is longer than a message of Telegram may be goes as several, cut between lines: nothing that was asked for is lost.

/** Lines as messages; `head` begins each of them. A line that is itself too long is cut. */
export function pagesOf(head: string, lines: readonly string[]): string[] {
  const room = CHAT_TEXT - head.length - 1
  const pages: string[] = []
  let page = ''
  for (const line of lines) {
    const short = line.length > room ? `${line.slice(0, room - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line
    if (page !== '' && page.length + 1 + short.length > room) {
      pages.push(page)
      page = short
    } else page = page === '' ? short : `${page}\n${short}`
  }
  if (page !== '') pages.push(page)
  return pages.map((text) => `${head}\n${text}`)
}

// What the bot says.

export const words = {
  /** Before the code in the button that takes a chat over: 64 bytes are all that fits. */
  REBIND: 'rebind:',
  MENU: [
    { command: 'today', description: '今天的訊號與損益' },
    { command: 'positions', description: '目前的部位' },
    { command: 'mute', description: '靜音：1h、30m、tomorrow' },
    { command: 'unmute', description: '取消靜音' },
    { command: 'app', description: '打開凌波並登入（一次性連結）' },
    { command: 'heads', description: '每日紀錄指紋：on、off' },
    { command: 'help', description: '可以做什麼' },
  ],
  FAILED: '剛才沒有處理成功，請稍後再試一次。',
  BLOCKED: '你在 Telegram 封鎖了機器人，請解除封鎖後重新綁定',
  THROWN_OUT: '機器人被移出群組，請重新加入',
  NOT_YOURS: '這個群組由別人綁定，請在與機器人的一對一聊天室使用指令。',
  NOT_IN_GROUPS: '登入連結只在一對一聊天室提供，請私訊機器人。',
  GROUP_TAKEN: '這個群組已由另一位成員綁定，請對方先在凌波解除綁定。',
  TOO_MANY: '登入連結要得太頻繁，請一小時後再試。',
  HOW_TO_MUTE: '看不懂要靜音多久。例如：/mute 1h、/mute 30m、/mute tomorrow（到明天早上 8 點）。',
  UNMUTED: '已取消靜音，新訊號會送到這裡。',
  HEADS_ON:
    '好，每天下午 2 點以後，有新紀錄的策略會把當天的紀錄指紋送到這裡。留著它，之後誰改了歷史都對不上。',
  HEADS_OFF: '好，不再送每日紀錄指紋。',
  NOT_BOUND: {
    unknown: '這個綁定連結不正確或已被新的取代，請回到凌波重新產生。',
    expired: '這個綁定連結已過期（10 分鐘內有效），請回到凌波重新產生。',
    used: '這裡已經綁定好了，輸入 /help 看看可以做什麼。',
    spoilt: '有另一個聊天也用了這個連結，為了安全已經作廢。請回到凌波重新產生。',
  },
  waiting: (page: string): string =>
    `收到。最後一步：回到凌波按「是我，連結」，之後新訊號會送到這裡。\n${page}`,
  bound: (name: string, group: boolean): string =>
    `綁定成功：${name}\n新訊號會送到${group ? '這個群組' : '這裡'}。輸入 /help 看看可以做什麼。`,
  taken: (name: string): string =>
    `這個聊天已綁定另一個凌波帳號。要改成「${name}」嗎？改綁後，原本的帳號不再送訊息到這裡。`,
  unbound: (url: string): string =>
    `這裡還沒有連結凌波帳號。請登入凌波，在「訊號通知 → 設定」按「綁定 Telegram」。\n${url}/signal-notification`,
  inGroup: (username: string | null): string =>
    `大家好，我是凌波。要把訊號送到這個群組，請在凌波按「綁定 Telegram」，把連結最後的代碼貼在這裡：\n/start${username === null ? '' : `@${username}`} 代碼`,
  muted: (until: string): string => `好，到 ${until} 之前不送訊息到這裡。/unmute 可以提早恢復。`,
  heads: (on: boolean): string =>
    `每日紀錄指紋目前${on ? '開啟' : '關閉'}。/heads on 開啟，/heads off 關閉。`,
  signIn: (url: string): string => `點這個連結登入凌波。15 分鐘內有效，只能用一次，請不要轉傳：\n${url}`,
  doubted: (page: string): string =>
    `綁定這個聊天的登入已經結束，或密碼變更過了。為了安全，這裡先不提供登入連結；請登入凌波，在「訊號通知 → 設定 → Telegram」確認這個聊天是你的。\n${page}`,
  TRUSTED: '好，/app 又可以打開凌波並登入了。',
  help: (group: boolean): string =>
    [
      '可以這樣問我：',
      '/today 今天的訊號與損益',
      '/positions 目前的部位',
      '/mute 1h 靜音一小時（也可以 30m、tomorrow）',
      '/unmute 取消靜音',
      ...(group ? [] : ['/app 打開凌波並登入']),
      '/heads on 每天收到紀錄指紋',
      '要解除綁定，請到凌波的「訊號通知 → 設定」。',
    ].join('\n'),
} as const
