// What the bot does when it is asked: only for the one who bound the chat, and only what that person may see today.
import type { App, Tx } from '../../../context.ts'
import { held } from '../../../db/held.ts'
import type { ChannelReceiverRow } from '../../../db/schema-notify.ts'
import { makeTicket } from '../../../sso/tickets.ts'
import { receiverOf, setState, takeCode } from '../../binding.ts'
import { dayAndTime, openReceiver, setConfig } from '../../receivers.ts'
import type { Spoken } from './chats.ts'
import { headsSince } from './heads.ts'
import { muteEnd } from './mute.ts'
import { positionsTexts, todayTexts } from './report.ts'
import type { Reply } from './speaker.ts'
import * as words from './words.ts'

/** What is left to do of an update when everything has been read: writing, and what to say afterwards. */
export type UpdatePlan = (tx: Tx) => Promise<Reply[]>
export const SILENT: UpdatePlan = () => Promise.resolve([])

interface Asked {
  readonly name: string
  readonly rest: string
}
/** Asked by the person in their own chat. */
interface Own extends Asked {
  readonly spoken: Spoken
  readonly row: ChannelReceiverRow
}
type Command = (app: App, own: Own) => Promise<(tx: Tx) => Promise<string | readonly string[]>>

const said = (text: string | readonly string[]) => () => Promise.resolve(text)

const COMMANDS: Readonly<Record<string, Command>> = {
  start: async (_app, { spoken }) => said(words.help(spoken.group)),
  help: async (_app, { spoken }) => said(words.help(spoken.group)),
  today: async (app, { row }) => said(await todayTexts(app, row.uid)),
  positions: async (app, { row }) => said(await positionsTexts(app, row.uid)),
  async mute(app, { row, rest }) {
    const until = muteEnd(rest, app.now())
    if (until === null) return said(words.HOW_TO_MUTE)
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
      return said(words.heads(openReceiver(app, row).config['heads'] === true))
    return async (tx) => {
      await setConfig(app, tx.db, row, { heads: wish === 'on', heads_until: headsSince(tx.at) })
      return wish === 'on' ? words.HEADS_ON : words.HEADS_OFF
    }
  },
  async app(app, { spoken, row }) {
    if (spoken.group) return said(words.NOT_IN_GROUPS)
    if ((await app.limits.wait('bot_ticket', row.uid)) > 0) return said(words.TOO_MANY)
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
export async function commandPlan(app: App, spoken: Spoken, asked: Asked): Promise<UpdatePlan> {
  const { chat, group, by, thread } = spoken
  if (asked.name === 'start' && asked.rest !== '') return startPlan(app, spoken, asked.rest, false)
  const command = COMMANDS[asked.name]
  // Groups have other bots, too.
  if (!command && group) return SILENT
  const row = await receiverOf(app, app.db, 'telegram', chat)
  if (!row || row.state === 'gone') return only(spoken, words.unbound(app.config.public_url))
  if (group && openReceiver(app, row).config['by'] !== by) return only(spoken, words.NOT_YOURS)
  const write = command ? await command(app, { ...asked, spoken, row }) : said(words.help(group))
  return async (tx) => {
    // Who speaks to the bot has let it in again.
    if (row.state !== 'bound') await setState(tx, row, 'bound', null)
    return [await write(tx)].flat().map((text) => ({ chat, thread, text }))
  }
}

/** A code from a link. `anyway`: the button was pressed that takes the chat over from another account. */
export async function startPlan(
  app: App,
  spoken: Spoken,
  code: string,
  anyway: boolean,
): Promise<UpdatePlan> {
  const { chat, by, name, group, thread } = spoken
  const reply = (text: string): Reply => ({ chat, thread, text })
  const known = await receiverOf(app, app.db, 'telegram', chat)
  const mine = !group || !known || openReceiver(app, known).config['by'] === by
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
const only = ({ chat, thread }: Spoken, text: string): UpdatePlan => {
  return () => Promise.resolve([{ chat, thread, text }])
}
