// The connection to the Bot API: one per server, through the one door for calls, every call with an end.
import { Api } from 'grammy'
import { ApiError } from '#contract/errors.ts'
import type { App } from '../../../context.ts'
import type { Db } from '../../../db/schema.ts'
import { keepFact, readFact } from '../../facts.ts'
import { reasonOf } from './answer.ts'
import { TelegramPace } from './pace.ts'
import { Speaker } from './speaker.ts'

const CALL_S = 10
/** How long Telegram holds a question for updates open, and how much longer the answer may take. */
export const POLL_S = 25
const POLL_MORE_S = 10
/** A hundred updates, each with a message as long as they can be. */
const ANSWER_BYTES = 16 * 1024 * 1024

export interface Bot {
  readonly api: Api
  /** For the question that is held open. */
  readonly patient: Api
  readonly pace: TelegramPace
  readonly speaker: Speaker
  username: string | null
}

type Ground = Pick<App, 'config' | 'outgoing' | 'log'>

const bots = new WeakMap<App['config'], Bot>()

/** The bot of this server, null when it has none. */
export function botOf(app: Ground): Bot | null {
  const { telegram_bot_token: token } = app.config
  if (token === null) return null
  const known = bots.get(app.config)
  if (known) return known
  const api = open(app, token, CALL_S)
  const pace = new TelegramPace()
  const speaker = new Speaker(api, pace, app.log)
  const bot = { api, patient: open(app, token, POLL_S + POLL_MORE_S), pace, speaker, username: null }
  bots.set(app.config, bot)
  return bot
}

function open({ config, outgoing }: Ground, token: string, timeoutSeconds: number): Api {
  const apiRoot = config.telegram_api_root
  // The token stands in the address: it goes nowhere but there.
  const extra = { agent: outgoing.agentFor(apiRoot), redirect: 'error', size: ANSWER_BYTES }
  return new Api(token, { apiRoot, timeoutSeconds, baseFetchConfig: extra as object })
}

/** Waits for the answers that are on their way. */
export async function closeBot(app: Ground): Promise<void> {
  const bot = bots.get(app.config)
  bots.delete(app.config)
  await bot?.speaker.end()
}

/** The bot, or 6020 where the server has none. */
export function requireBot(app: Ground): Bot {
  const bot = botOf(app)
  if (bot === null) throw new ApiError(6020, { text: '此伺服器未設定 Telegram Bot' })
  return bot
}

/** The name that links and groups call it by; asked once of each token. ApiError 5030 while Telegram cannot be reached. */
export async function usernameOf(app: App, bot: Bot): Promise<string> {
  const known = await knownName(app, app.db, bot)
  if (known !== null) return known
  try {
    bot.username = (await bot.api.getMe()).username
  } catch (error) {
    app.log.warn({ reason: reasonOf(error) }, 'telegram: cannot ask for the name of the bot')
    throw new ApiError(5030, { text: '現在連不到 Telegram，請稍後再試', retry_after_s: 10 })
  }
  await keepFact(app.db, 'telegram', nameFact(app), bot.username)
  return bot.username
}

/** The same when it was ever asked, else null. */
export async function knownName(
  app: Pick<App, 'config' | 'keys'>,
  db: Db,
  bot: Bot | null,
): Promise<string | null> {
  if (bot === null) return null
  bot.username ??= await readFact(db, 'telegram', nameFact(app))
  return bot.username
}

/** Another token is another bot. */
function nameFact({ config, keys }: Pick<App, 'config' | 'keys'>): string {
  return `name ${keys.mark(`telegram ${config.telegram_bot_token}`).slice(0, 16)}`
}
