// The bot's own work while the server runs: asks for updates (or has them sent), in one process at a time.
import type { App } from '../../../context.ts'
import { reasonOf } from './answer.ts'
import { type Bot, botOf, closeBot, POLL_S, usernameOf } from './bot.ts'
import { Duty } from './duty.ts'
import { sendHeads } from './heads.ts'
import { nextUpdate } from './offset.ts'
import { secretOf } from './secret.ts'
import { pause } from './speaker.ts'
import { takeUpdate } from './updates.ts'
import { MENU } from './words.ts'

/** Those who are not on duty look again so often; with updates that are sent here, the heads are thought of so often. */
const LOOK_MS = 3_000
const REST_MS = 20_000
const AGAIN_MS = 1_000
const AGAIN_MOST_MS = 30_000
const ALLOWED = ['message', 'callback_query', 'my_chat_member'] as const

/** Starts it; gives what ends it, when the update that is being answered is done. */
export function runBot(app: App): () => Promise<void> {
  const bot = botOf(app)
  if (bot === null) return () => Promise.resolve()
  const ends = new AbortController()
  const running = work(app, bot, ends.signal)
  return async () => {
    ends.abort()
    await running
    await closeBot(app)
  }
}

async function work(app: App, bot: Bot, signal: AbortSignal): Promise<void> {
  const duty = new Duty(app)
  let ready = false
  let failed = 0
  while (!signal.aborted) {
    try {
      if (!(await duty.take())) {
        ready = false
        await pause(LOOK_MS, signal)
        continue
      }
      if (!ready) await prepare(app, bot, signal)
      ready = true
      if (app.config.telegram_updates === 'webhook') await pause(REST_MS, signal)
      else await poll(app, bot, duty, signal)
      await sendHeads(app, bot, signal)
      failed = 0
    } catch (error) {
      if (signal.aborted) break
      failed++
      app.log.warn({ reason: reasonOf(error), failed }, 'telegram: no updates')
      await pause(Math.min(AGAIN_MS * 2 ** (failed - 1), AGAIN_MOST_MS), signal)
    }
  }
  await duty
    .release()
    .catch((error: unknown) => app.log.warn({ err: error }, 'telegram: still noted as on duty'))
}

/** Where updates go, and the commands that the app of Telegram offers. */
async function prepare(app: App, bot: Bot, signal: AbortSignal): Promise<void> {
  const { api } = bot
  if (app.config.telegram_updates === 'webhook')
    await api.setWebhook(
      `${app.config.public_url}/api/v1/telegram/updates`,
      // One after the other: what somebody wrote first is answered first.
      { secret_token: secretOf(app), max_connections: 1, allowed_updates: ALLOWED },
      signal as never,
    )
  else await api.deleteWebhook({}, signal as never)
  await usernameOf(app, bot)
  await api.setMyCommands(MENU, {}, signal as never)
}

/** Asks once. What is not done when the server stops is asked for again by the next. */
async function poll(app: App, { patient }: Bot, duty: Duty, signal: AbortSignal): Promise<void> {
  const offset = await nextUpdate(app)
  const updates = await patient.getUpdates(
    { offset, timeout: POLL_S, allowed_updates: ALLOWED },
    signal as never,
  )
  for (const update of updates) {
    if (signal.aborted || !(await duty.take())) return
    await takeUpdate(app, update)
  }
}
