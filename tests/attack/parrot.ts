// Everything outside that notifications go to, at one address, and the worst of it: whoever says no repeats all that was sent.
import { type Arrival, type Reply, type Scripted, startScripted } from '#tests/support/scripted.ts'

export interface Parrot extends Omit<Scripted, 'faults'> {
  /** How messages are answered from now on; `drop`: hung up. */
  mood: 'yes' | 400 | 403 | 404 | 410 | 500 | 'drop'
  /** How many messages of each kind came. */
  messages(): Record<'telegram' | 'line' | 'discord' | 'push' | 'webhook', number>
}

/** Which calls are messages; the others (who are you, how many are left) are always answered. */
const MESSAGES = {
  telegram: /^\/bot[^/]+\/sendMessage$/,
  line: /^\/v2\/bot\/message\/push$/,
  discord: /^\/api\/webhooks\/\d+\/[\w-]+ POST$/,
  push: /^\/push\//,
  webhook: /^\/robot\//,
} as const

const INFO: readonly [RegExp, object][] = [
  [/^\/bot[^/]+\/getMe$/, { result: { id: 1, is_bot: true, first_name: 'LingBo', username: 'parrot_bot' } }],
  [/^\/bot[^/]+\/sendMessage$/, { result: { message_id: 1, chat: { id: 1 }, date: 1, text: '' } }],
  [/^\/bot/, { result: true }],
  [/\/info$/, { basicId: '@parrot' }],
  [/\/quota$/, { type: 'none' }],
  [/\/consumption$/, { totalUsage: 0 }],
  [/\/profile\//, { displayName: '朋友' }],
]

export async function startParrot(): Promise<Parrot> {
  const state = { mood: 'yes' as Parrot['mood'] }
  const kindOf = ({ name }: Arrival) =>
    Object.entries(MESSAGES).find(([, form]) => form.test(name) || form.test(name.replace(/ \w+$/, '')))?.[0]
  const repeated = ({ method, path, query, headers, body }: Arrival) =>
    `${method} ${path}?${query} ${JSON.stringify(headers)} ${body.toString('latin1')}`
  const { faults, ...server } = await startScripted({
    name: (path, method) => `${path} ${method}`,
    take(arrival): Reply {
      if (kindOf(arrival) && typeof state.mood === 'number')
        return {
          status: state.mood,
          body: {
            ...{ ok: false, error_code: state.mood, description: repeated(arrival) },
            ...{ message: repeated(arrival), errors: [repeated(arrival)] },
          },
        }
      const info = INFO.find(([form]) => form.test(arrival.path))?.[1]
      return { status: 200, body: { ok: true, id: '1', name: '頻道', ...info } }
    },
    refuse: ({ status }) => ({ status }),
  })
  faults.by((arrival) => (state.mood === 'drop' && kindOf(arrival) ? { drop: true } : null))
  return Object.assign(state, {
    ...server,
    messages() {
      const counts = { telegram: 0, line: 0, discord: 0, push: 0, webhook: 0 }
      for (const arrival of server.arrivals) {
        const kind = kindOf(arrival) as keyof typeof counts | undefined
        if (kind) counts[kind]++
      }
      return counts
    },
  })
}
