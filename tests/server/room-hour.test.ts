// One account, or one person with as many organizations as allowed, writes for an hour as fast as the limits allow: what is stored
// stays under the figure of docs/running.md, and the messages of others come in.

import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAnnouncement, deleteAnnouncement, updateAnnouncement } from '#contract/announcement.ts'
import { bindTelegram, deletePushSubscription, getTelegramBinding, subscribePush } from '#contract/binding.ts'
import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts'
import type { ApiError } from '#contract/errors.ts'
import { createGroup, deleteGroup, setGroupStrategies, updateGroup } from '#contract/group.ts'
import { cancelInvite, createInvites, createLink, updateLink } from '#contract/join.ts'
import {
  ANSWERS_PER_ACCOUNT_BYTES,
  CHATS_MOST,
  EVENTS_PER_OWNER,
  IMPORTED_PER_OWNER,
  MESSAGES_PER_OWNER_BYTES,
  NOTE_IMAGE_PX,
  ORGANIZATIONS_LED,
  ORIGINAL_PER_OWNER_BYTES,
  REFUSED_PER_OWNER_BYTES,
} from '#contract/limits.ts'
import { updateMember } from '#contract/membership.ts'
import { createOrganization, uploadLogo } from '#contract/organization.ts'
import { deleteOriginalBatch, importOriginalData } from '#contract/original-data.ts'
import { readOrganizationUsage, readUsage, updateName, uploadAvatar } from '#contract/profile.ts'
import { listSessions, logout } from '#contract/session.ts'
import { sendManualFutures } from '#contract/signal.ts'
import { createStockSetting, deleteStockSetting } from '#contract/stock-signal-setting.ts'
import {
  createStrategy,
  deleteStrategy,
  getStrategy,
  type StrategyInput,
  updateStrategy,
  updateStrategyNotify,
  uploadNoteImage,
} from '#contract/strategy.ts'
import { createWebhook, deleteWebhook, rotateWebhook, testWebhook, type Webhook } from '#contract/webhook.ts'
import { newId } from '#server/ids.ts'
import { secretOf } from '#server/notify/channels/telegram/bot.ts'
import { TABLES } from '#server/usage/tables.ts'
import { botEnv, codeOf } from '../support/bots.ts'
import { senderTo } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { insertMember } from '../support/organizations.ts'
import { type Person, type Reachable, signIn, signUp } from '../support/people.ts'
import {
  strategyInput as input,
  largeMessage,
  noise,
  pictureBytes,
  rowsOf,
  storedBytes,
} from '../support/room.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { ROOT } from '../support/sources.ts'
import { startTelegramApi, type TelegramApi } from '../support/telegram-api.ts'
import { sized } from '../support/tier.ts'
import { makeReceiver } from '../support/web-push.ts'

/** What one person can leave behind in an hour at the default limits: docs/running.md. */
const HOUR_BYTES = 3 * 1024 ** 3
/** So much of the hour is tried, with as much of the bounds. */
const SHARE = sized(0.0005, 0.01)
/** Calls of a person in an hour, and messages of one room: server/limits/rate.ts, HOOK_RATE_PER_MINUTE and HOOK_BURST. */
const CALLS = Math.ceil(1_200 * 60 * SHARE)
const MESSAGES = Math.ceil((600 * 60 + 3_000) * SHARE)
const MANUAL = Math.ceil(120 * 60 * SHARE)
/** Pictures of a person in an hour; a part of one is a smaller one. */
const PICTURES = Math.ceil(60 * SHARE)
const PICTURE_PX = Math.round(NOTE_IMAGE_PX * Math.sqrt((60 * SHARE) / PICTURES))
/** Two files of XQ at the least, so that one of them is deleted; together as many rows and bytes as an owner may bring. */
const FILES = Math.max(2, Math.ceil(60 * SHARE))
const ROWS = Math.floor((IMPORTED_PER_OWNER * SHARE) / FILES)
/** Who is slowed for signing in too often waits two seconds beside forty-nine others. */
const SIGN_INS = Math.ceil((50 / 2) * 3_600 * SHARE)
const CHATS = Math.ceil(30 * 6 * SHARE)
/** What cannot be a part: the account itself, the first of each kind, and what is written before a room is looked at again. */
const BASE_BYTES = 1024 ** 2

/** A picture that nothing makes smaller, either. */
async function noisePicture(side: number): Promise<Uint8Array<ArrayBuffer>> {
  const raw = { width: side, height: side, channels: 3 as const }
  return new Uint8Array(
    await sharp(randomBytes(side * side * 3), { raw })
      .jpeg({ quality: 75 })
      .toBuffer(),
  )
}
/** Buys and sales of one stock, each at a price of its own. */
const xqFile = (n: number) => {
  const lines = Array.from({ length: ROWS }, (_, i) => {
    const [price, minute] = [1_000 + n * ROWS + i, String(i % 60).padStart(2, '0')]
    return `2330.TW,台積電,${i % 2 ? '賣出' : '買進'},${price},1,2026/03/02 09:${minute}:00,${noise(60)}`
  })
  return new TextEncoder().encode(`代碼,商品,動作,價格,張數,時間,備註\n${lines.join('\n')}\n`)
}

test('running.md says the figure', () => {
  const page = readFileSync(join(ROOT, 'docs/running.md'), 'utf8')
  const figure = /最多多出 \*\*(\d+) GB\*\*/.exec(page)
  expect(Number(figure?.[1]) * 1024 ** 3).toBe(HOUR_BYTES)
})

describeEngines('an hour of a room', (engine) => {
  let server: TestServer
  let telegram: TelegramApi
  /** Without a network between. */
  let near: Reachable
  let neighbours: (body: string) => Promise<number>
  let clock_ms = Date.now()

  beforeAll(async () => {
    telegram = await startTelegramApi()
    server = await startServer({
      engine,
      env: botEnv(telegram),
      overrides: { room: SHARE, now: () => clock_ms },
    })
    near = { request: server.dispatch, mails: () => server.mails() }
    const neighbour = await signUp(server, '隔壁')
    const made = await neighbour.call(createStrategy, input('隔壁的'))
    neighbours = async (body) => (await senderTo(server, made.webhooks?.[0] as Webhook)(body)).status
  })
  afterAll(async () => {
    await server.close()
    await telegram.close()
  })

  /** Everything that can be written, in one scope; each part takes a number that is new every time. */
  async function attacks(attacker: Person, headers: Record<string, string>) {
    const keyed = <E extends Endpoint>(endpoint: E, given: InputOf<E>): Promise<OutputOf<E>> =>
      attacker.call(endpoint, given, { ...headers, 'idempotency-key': randomUUID() })
    const strategy = await keyed(createStrategy, input(`主 ${newId()}`))
    const stock = await keyed(createStrategy, {
      ...input(`股 ${newId()}`),
      kind: 'stock',
      settings: {},
    } as unknown as StrategyInput)
    const webhook = strategy.webhooks?.[0] as Webhook
    const hook = senderTo(near, webhook)
    const own: Record<string, readonly [times: number, (n: number) => Promise<unknown>]> = {
      note: [CALLS, (n) => keyed(updateStrategy, { id: strategy.id, note: noise(19_990) + n })],
      strategies: [
        CALLS / 2,
        async () => {
          const made = await keyed(createStrategy, input(newId(), { note: noise(1_000) }))
          await keyed(deleteStrategy, { id: made.id, name: made.name, keep_records: true })
        },
      ],
      webhooks: [
        CALLS / 2,
        async () => {
          const made = await keyed(createWebhook, { strategy_id: strategy.id, name: newId() } as InputOf<
            typeof createWebhook
          >)
          await keyed(deleteWebhook, { id: made.id })
        },
      ],
      addresses: [
        CALLS / 4,
        () => keyed(rotateWebhook, { id: stock.webhooks?.[0]?.id as string, grace: 'now' }),
      ],
      tests: [CALLS / 4, () => keyed(testWebhook, { id: webhook.id, body: largeMessage('buy') })],
      signals: [MESSAGES, () => hook(largeMessage('buy'))],
      rubbish: [MESSAGES, () => hook(largeMessage('jump'))],
      manual: [
        MANUAL,
        () =>
          keyed(sendManualFutures, {
            ...{ strategy_id: strategy.id, id: newId(), action: 'long_entry', quantity: 1, price: 46_500 },
            product_code: 'MXF',
            ...{ occurred_at: new Date(clock_ms).toISOString(), note: noise(200) },
          } as unknown as InputOf<typeof sendManualFutures>),
      ],
      bell: [
        CALLS / 4,
        (n) => keyed(updateStrategyNotify, { id: strategy.id, enabled: n % 2 === 0 } as never),
      ],
      rules: [
        CALLS / 4,
        async () => {
          const rule = await keyed(createStockSetting, {
            ...{ id: stock.id, applies_to: 'strategy', name: noise(20) },
          } as InputOf<typeof createStockSetting>)
          await keyed(deleteStockSetting, { id: stock.id, setting_id: rule.id })
        },
      ],
    }
    return { own, strategy, keyed }
  }

  /** What a person brings or begins, however many organizations they lead: the limits are of the person. */
  async function ofPerson(attacker: Attacker, headers: Record<string, string>) {
    const xq = await attacker.call(
      createStrategy,
      {
        ...{
          kind: 'xq-stock',
          name: `XQ ${newId()}`,
          settings: { xq_script_name: '突破', dedupe_per_day: false },
        },
      } as StrategyInput,
      headers,
    )
    const { keys } = makeReceiver()
    const before: string[] = []
    const works: Awaited<ReturnType<typeof attacks>>['own'] = {
      pictures: [
        PICTURES,
        async () => attacker.call(uploadNoteImage, { image: await noisePicture(PICTURE_PX) }, headers),
      ],
      faces: [PICTURES, async () => attacker.call(uploadAvatar, { image: await noisePicture(PICTURE_PX) })],
      // Every second one goes again, and voids what the one before it made.
      files: [
        FILES,
        async (n) => {
          const { batch_id } = await attacker.call(
            importOriginalData,
            { id: xq.id, file: xqFile(n) as Uint8Array<ArrayBuffer>, name: `${n}.csv` },
            headers,
          )
          await server.app.jobs.settled('import')
          before.push(batch_id as string)
          if (n % 2 === 0) return
          await attacker.call(deleteOriginalBatch, { id: xq.id, batch_id: before.shift() as string }, headers)
          await server.app.jobs.settled('import')
        },
      ],
      sign_ins: [SIGN_INS, (n) => attacker.signInAgain(n % 2 === 0)],
      phones: [
        CALLS / 4,
        async () => {
          const endpoint = `https://fcm.googleapis.com/fcm/send/${randomUUID()}`
          const { id } = await attacker.call(subscribePush, { endpoint, keys })
          await attacker.call(deletePushSubscription, { id })
        },
      ],
      chats: [
        CHATS,
        async () => {
          const { deep_link } = await attacker.call(bindTelegram, {})
          const update = telegram.person(newId()).says(`/start ${codeOf(deep_link)}`)
          await near.request('/api/v1/telegram/updates', {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'x-telegram-bot-api-secret-token': secretOf(server.app),
            },
            body: JSON.stringify(update),
          })
          const { waiting } = await attacker.call(getTelegramBinding, {})
          await attacker.call(bindTelegram, { confirm: waiting?.id })
        },
      ],
    }
    return works
  }

  type Attacker = Person & {
    /** Goes on in a new session; the one before is left, or ended. */
    signInAgain(ended: boolean): Promise<void>
  }
  async function newAttacker(name: string): Promise<Attacker> {
    let now = await signUp(near, name)
    return {
      ...now,
      call: (endpoint, input, headers) => now.call(endpoint, input, headers),
      async signInAgain(ended) {
        if (ended) await now.call(logout, {})
        // Who was seen last stays, and nobody else was seen in the same instant.
        clock_ms++
        now = await signIn(near, now.email, name)
      },
    }
  }

  async function attacksOn(organization_id: string, attacker: Person, member: Person) {
    const headers = { 'lb-org-id': organization_id }
    const { own, strategy, keyed } = await attacks(attacker, headers)
    await insertMember(server.app.db, organization_id, member.uid)
    const id = organization_id
    const group = await keyed(createGroup, { name: '常駐' })
    const link = await keyed(createLink, { id } as InputOf<typeof createLink>)
    return {
      ...own,
      groups: [
        CALLS / 4,
        async () => {
          const made = await keyed(createGroup, { name: newId() })
          await keyed(updateGroup, { id: made.id, name: newId() })
          await keyed(deleteGroup, { id: made.id })
        },
      ],
      gifts: [
        Math.ceil(2_500 * SHARE),
        async () => {
          await keyed(setGroupStrategies, {
            id: group.id,
            strategies: [{ strategy_id: strategy.id }],
          } as never)
          await keyed(setGroupStrategies, { id: group.id, strategies: [] } as never)
        },
      ],
      dates: [
        CALLS / 4,
        (n: number) =>
          keyed(updateMember, {
            ...{ id, user_id: member.uid, expires_on: `20${40 + (n % 50)}-01-01` },
          } as InputOf<typeof updateMember>),
      ],
      announcements: [
        CALLS / 4,
        async () => {
          const made = await keyed(createAnnouncement, { id, title: newId(), body: noise(19_000) } as InputOf<
            typeof createAnnouncement
          >)
          const which = { id, announcement_id: made.id }
          await keyed(updateAnnouncement, { ...which, body: noise(19_000) })
          await keyed(deleteAnnouncement, which)
        },
      ],
      links: [
        CALLS / 10,
        (n: number) => keyed(updateLink, { id, link_id: link.id, enabled: n % 2 === 0 } as never),
      ],
      invites: [
        Math.ceil(30 * SHARE),
        async () => {
          const emails = Array.from({ length: 50 }, () => `${randomUUID()}@example.com`)
          const sent = await keyed(createInvites, { id, emails })
          // The newest: others may have given way already.
          const last = sent.at(-1)?.invite
          if (last) await keyed(cancelInvite, { id, invite_id: last.id })
        },
      ],
    } satisfies typeof own
  }

  /** Runs them in turns for the hour; a refusal in words is one of the answers. */
  async function anHour(
    { uid }: Person,
    all: readonly Awaited<ReturnType<typeof attacks>>['own'][],
    once: Awaited<ReturnType<typeof ofPerson>>,
  ): Promise<void> {
    const shared = (own: typeof once, parts: number) =>
      Object.values(own).map(([times, run]) => ({ times: Math.ceil(times / parts), run, done: 0 }))
    const works = [...all.flatMap((own) => shared(own, all.length)), ...shared(once, 1)]
    const rounds = Math.max(...works.map(({ times }) => times))
    for (let round = 0; round < rounds; round++) {
      clock_ms += (3_600_000 * SHARE) / rounds
      for (const work of works) {
        // Evenly over the hour.
        for (; work.done < Math.ceil((work.times * (round + 1)) / rounds); work.done++)
          await work.run(work.done).catch((error: ApiError) => {
            if (error.code !== 4220 || !error.text?.includes('滿了')) throw error
          })
      }
      if (round % 20 === 0)
        expect(
          await neighbours(JSON.stringify({ symbol: 'MXF1!', action: 'buy', qty: 1, price: round + 1 })),
        ).toBe(200)
    }
    await server.app.notifier.catchUp()
    await server.app.room.settled()
    server.app.room.wrote(`p:${uid}`, 1)
    await server.app.room.lookAtAll()
    await server.app.jobs.settled('erase')
  }

  async function within(person: Person, before: number, pictures_before: number): Promise<void> {
    const used = await person.call(readUsage, {})
    // What was brought stands there, and on the disk nothing else.
    await expect.poll(() => pictureBytes(server) - pictures_before).toBe(used.image_bytes.used)
    expect(used.imported.used).toBeGreaterThanOrEqual(FILES * ROWS)
    expect(used.original_bytes.used).toBeGreaterThan((ORIGINAL_PER_OWNER_BYTES * SHARE) / 4)
    expect(used.sign_ins.used).toBeLessThanOrEqual(Math.ceil(used.sign_ins.most * SHARE))
    expect(used.receivers.used).toBe(Math.min(CHATS, CHATS_MOST))
    expect(used.message_bytes.used).toBeLessThanOrEqual(MESSAGES_PER_OWNER_BYTES * SHARE)
    expect(used.refused_bytes.used).toBeLessThanOrEqual(REFUSED_PER_OWNER_BYTES * SHARE)
    expect(used.answer_bytes.used).toBeLessThanOrEqual(ANSWERS_PER_ACCOUNT_BYTES * SHARE)
    expect(used.events.used).toBeLessThanOrEqual(EVENTS_PER_OWNER * SHARE)
    for (const [table, kept] of Object.entries(TABLES))
      if (kept.bound === 'trimmed')
        expect([table, await rowsOf(server, kept, table, person.uid)]).toEqual([
          table,
          expect.toSatisfy((rows: number) => rows <= Math.max(Math.ceil(kept.most * SHARE), 100)),
        ])
    const bytes = (await storedBytes(server)) - before
    console.info(
      `${engine}: ${(bytes / 1024 ** 2).toFixed(1)} MB of ${((HOUR_BYTES * SHARE) / 1024 ** 2).toFixed(1)} MB`,
    )
    expect(bytes).toBeLessThan(HOUR_BYTES * SHARE + BASE_BYTES)
  }

  test('an hour of one account', async () => {
    const attacker = await newAttacker('攻擊的人')
    const [before, pictures] = [await storedBytes(server), pictureBytes(server)]
    const { own, strategy } = await attacks(attacker, {})
    await anHour(attacker, [own], {
      ...(await ofPerson(attacker, {})),
      names: [CALLS / 4, (n) => attacker.call(updateName, { name: `名字 ${n}` })],
    })
    await within(attacker, before, pictures)
    // What stays whole: the record, the strategy, the sign-in.
    const { chain_head } = await attacker.call(getStrategy, { id: strategy.id })
    const { count } = await server.app.db
      .selectFrom('signals')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('strategy_id', '=', strategy.id)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(chain_head.chain_seq)
    expect(chain_head.chain_seq).toBeGreaterThanOrEqual(MESSAGES + MANUAL)
    expect((await attacker.call(listSessions, {})).length).toBeGreaterThan(0)
  })

  test('an hour of a person with as many organizations as allowed', async () => {
    const [attacker, member] = [await newAttacker('帶很多組織的人'), await signUp(server, '成員')]
    const [before, pictures] = [await storedBytes(server), pictureBytes(server)]
    const organizations: string[] = []
    for (let n = 0; n < ORGANIZATIONS_LED; n++)
      organizations.push((await attacker.call(createOrganization, { name: `社 ${n}` })).id)
    const attacked = organizations.slice(0, sized(2, ORGANIZATIONS_LED))
    const [first] = attacked as [string]
    const inside = { 'lb-org-id': first }
    await anHour(attacker, await Promise.all(attacked.map((id) => attacksOn(id, attacker, member))), {
      ...(await ofPerson(attacker, inside)),
      logos: [
        PICTURES,
        async () => attacker.call(uploadLogo, { id: first, image: await noisePicture(PICTURE_PX) }, inside),
      ],
    })
    await within(attacker, before, pictures)
    // What the organizations use is the person's, and each shows its part of it.
    const whole = await attacker.call(readUsage, {})
    let records = 0
    for (const id of organizations)
      records += (await attacker.call(readOrganizationUsage, { id }, { 'lb-org-id': id })).records
    expect(records).toBe(whole.records)
  })
})
