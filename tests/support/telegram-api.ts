// A Bot API server: one bot, its people and groups, long polling or a webhook, and the refusals of the real one.
import { randomInt } from 'node:crypto'
import { type Arrival, jsonOf, type Reply, type Scripted, startScripted } from './scripted.ts'
import { wrongCommands, wrongKeyboard, wrongText } from './telegram-rules.ts'
import { type TelegramGroup, type TelegramPerson, TelegramState, type Update } from './telegram-state.ts'

export interface TelegramSent {
  readonly chat_id: number
  readonly message_id: number
  readonly text: string
  /** Everything else of the call. */
  readonly payload: Record<string, unknown>
  readonly at: number
}

export interface TelegramApi extends Omit<Scripted, 'url'> {
  /** For TELEGRAM_BOT_TOKEN and TELEGRAM_API_ROOT. */
  readonly token: string
  readonly root: string
  readonly username: string
  readonly sent: TelegramSent[]
  /** Answers to pressed buttons, by the number of the press. */
  readonly answered: { readonly id: string; readonly text: string | null }[]
  readonly commands: { readonly command: string; readonly description: string }[]
  /** What setWebhook said; null = long polling. */
  readonly webhook: { readonly url: string; readonly secret: string | null } | null
  /** Updates nobody has taken yet. */
  readonly pending: readonly Update[]
  person(username: string, first_name?: string): TelegramPerson
  group(title: string): TelegramGroup
  /** Sends what is pending to the webhook again, as Telegram does after a failure; gives the statuses. */
  redeliver(): Promise<number[]>
}

type Payload = Record<string, unknown>

export async function startTelegramApi(options: { port?: number } = {}): Promise<TelegramApi> {
  const token = `${randomInt(10_000_000, 99_999_999)}:AA${'x'.repeat(33)}`
  const username = 'lingbo_test_bot'
  const pending: Update[] = []
  const sent: TelegramSent[] = []
  const answered: { id: string; text: string | null }[] = []
  const commands: TelegramApi['commands'] = []
  let webhook: TelegramApi['webhook'] = null
  let wake = () => {}
  let displace = () => {}
  let delivering: Promise<unknown> = Promise.resolve()
  const bot = { id: Number(token.split(':')[0]), username }
  const state = new TelegramState(bot, (update) => {
    pending.push(update)
    wake()
    if (webhook) delivering = delivering.then(redeliver)
  })

  const ok = (result: unknown): Reply => ({ status: 200, body: { ok: true, result } })
  const no = (error_code: number, description: string, parameters?: object): Reply => ({
    status: error_code,
    body: { ok: false, error_code, description, ...(parameters && { parameters }) },
  })
  /** A refusal that no correct bot meets. */
  const bad = (method: string, why: string): Reply => {
    wrong.push(`${method}: ${why}`)
    return no(400, `Bad Request: ${why}`)
  }

  function write(method: string, payload: Payload, at: number): Reply {
    const { chat_id, text, parse_mode, reply_markup, ...rest } = payload
    const why = wrongText(text, parse_mode) ?? wrongKeyboard(reply_markup)
    if (why !== null) return bad(method, why)
    const place = state.places.get(Number(chat_id))
    if (!place) return no(400, 'Bad Request: chat not found')
    if (place.migrated_to !== null) {
      const parameters = { migrate_to_chat_id: place.migrated_to }
      return no(400, 'Bad Request: group chat was upgraded to a supergroup chat', parameters)
    }
    if (place.closed !== null) return no(403, place.closed)
    if (place.closed_threads.has(Number(rest['message_thread_id'])))
      return no(400, 'Bad Request: TOPIC_CLOSED')
    const message_id = typeof rest['message_id'] === 'number' ? rest['message_id'] : state.messageId()
    sent.push({
      chat_id: place.chat.id,
      message_id,
      text: String(text),
      payload: { ...rest, parse_mode, reply_markup },
      at,
    })
    return ok({ message_id, chat: place.chat, date: Math.floor(at / 1_000), text })
  }

  async function poll(payload: Payload, hung_up: AbortSignal): Promise<Reply> {
    if (webhook) return no(409, "Conflict: can't use getUpdates method while webhook is active")
    // As the real one: whoever asks last is heard, whoever waits is sent away.
    displace()
    const { offset = 0, limit = 100, timeout = 0 } = payload as Record<string, number>
    // What comes before the offset is confirmed and forgotten.
    while (pending[0] && pending[0].update_id < offset) pending.shift()
    let displaced = false
    if (pending.length === 0 && timeout > 0)
      await new Promise<void>((woken) => {
        const timer = setTimeout(woken, timeout * 1_000)
        wake = () => {
          clearTimeout(timer)
          woken()
        }
        displace = () => {
          displaced = true
          wake()
        }
        hung_up.addEventListener('abort', wake)
      })
    if (displaced)
      return no(
        409,
        'Conflict: terminated by other getUpdates request; make sure that only one bot is running',
      )
    displace = () => {}
    return ok(pending.slice(0, limit))
  }

  const methods: Record<
    string,
    (payload: Payload, arrival: Arrival, hung_up: AbortSignal) => Reply | Promise<Reply>
  > = {
    getMe: () => ok({ ...bot, is_bot: true, first_name: 'LingBo', can_join_groups: true }),
    getUpdates: (payload, _arrival, hung_up) => poll(payload, hung_up),
    setWebhook({ url, secret_token }) {
      if (url === '') webhook = null
      else if (!/^https:\/\/|^http:\/\/127\.0\.0\.1[:/]/.test(String(url)))
        return bad('setWebhook', 'An HTTPS URL must be provided for webhook')
      else if (secret_token !== undefined && !/^[\w-]{1,256}$/.test(String(secret_token)))
        return bad('setWebhook', 'secret token contains unallowed characters')
      else webhook = { url: String(url), secret: (secret_token as string | undefined) ?? null }
      if (webhook && webhook.secret === null)
        wrong.push('setWebhook: no secret_token: anybody could send updates')
      return ok(true)
    },
    deleteWebhook({ drop_pending_updates }) {
      webhook = null
      if (drop_pending_updates === true) pending.length = 0
      return ok(true)
    },
    getWebhookInfo: () => ok({ url: webhook?.url ?? '', pending_update_count: pending.length }),
    sendMessage: (payload, { at }) => write('sendMessage', payload, at),
    editMessageText: (payload, { at }) => write('editMessageText', payload, at),
    answerCallbackQuery({ callback_query_id, text }) {
      const id = String(callback_query_id)
      if (!state.pressed.delete(id))
        return bad('answerCallbackQuery', 'query is too old or query ID is invalid')
      if (typeof text === 'string' && text.length > 200) return bad('answerCallbackQuery', 'MESSAGE_TOO_LONG')
      answered.push({ id, text: typeof text === 'string' ? text : null })
      return ok(true)
    },
    setMyCommands({ commands: given }) {
      const why = wrongCommands(given)
      if (why !== null) return bad('setMyCommands', why)
      commands.splice(0, commands.length, ...(given as TelegramApi['commands']))
      return ok(true)
    },
    getMyCommands: () => ok(commands),
    getChat({ chat_id }) {
      const place = state.places.get(Number(chat_id))
      return place ? ok({ ...place.chat, accent_color_id: 0 }) : no(400, 'Bad Request: chat not found')
    },
    sendChatAction: () => ok(true),
    setChatMenuButton: () => ok(true),
    leaveChat: () => ok(true),
  }

  async function redeliver(): Promise<number[]> {
    const statuses: number[] = []
    for (const update of [...pending]) {
      if (!webhook) break
      const headers = {
        'content-type': 'application/json',
        ...(webhook.secret !== null && { 'x-telegram-bot-api-secret-token': webhook.secret }),
      }
      const sending = fetch(webhook.url, { method: 'POST', headers, body: JSON.stringify(update) })
      const status = await sending.then(
        (answer) => answer.status,
        () => 0,
      )
      statuses.push(status)
      if (status < 200 || status > 299) break
      pending.splice(pending.indexOf(update), 1)
    }
    return statuses
  }

  const { url: root, ...server } = await startScripted({
    ...options,
    name: (path) => path.split('/').at(-1) ?? '',
    // Polls come by themselves at any time: a script is meant for what a test waits for.
    spared: ['getUpdates', 'getMe'],
    take(arrival, { hung_up }) {
      const [, bot_token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(arrival.path) ?? []
      if (bot_token !== token) {
        wrong.push(`${method || arrival.path}: not the token of the bot`)
        return no(bot_token === undefined ? 404 : 401, bot_token === undefined ? 'Not Found' : 'Unauthorized')
      }
      const known = methods[method]
      if (!known) {
        wrong.push(`${method}: no such method here`)
        return no(404, 'Not Found')
      }
      const empty = arrival.body.length === 0
      const payload = empty ? Object.fromEntries(arrival.query) : jsonOf(arrival, wrong)
      return known(payload, arrival, hung_up)
    },
    refuse({ status, retry_after }) {
      if (status !== 429) return no(status, status >= 500 ? 'Internal Server Error' : `fault ${status}`)
      const after = retry_after ?? 1
      return no(429, `Too Many Requests: retry after ${after}`, { retry_after: after })
    },
  })
  const { wrong } = server
  return {
    ...server,
    token,
    root,
    username,
    sent,
    answered,
    commands,
    pending,
    get webhook() {
      return webhook
    },
    person: (...who) => state.person(...who),
    group: (title) => state.group(title),
    redeliver: () => {
      const sending = delivering.then(redeliver)
      delivering = sending
      return sending
    },
  }
}
