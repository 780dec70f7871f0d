// PUT and DELETE /notification-channels: one address of each person, checked before it is kept, its secret shown once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteChannel, updateChannel } from '#contract/notification.ts'
import { createStrategy } from '#contract/strategy.ts'
import { openReceiver, receiversOf } from '#server/notify/receivers.ts'
import { type Desk, openDesk, refused } from '#tests/support/desk.ts'
import { type DiscordApi, startDiscordApi } from '#tests/support/discord-api.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#tests/support/webhook-receiver.ts'

describeEngines('addresses that somebody types', (engine) => {
  let there: DiscordApi
  let robot: WebhookReceiver
  let desk: Desk
  beforeAll(async () => {
    there = await startDiscordApi()
    robot = await startWebhookReceiver()
    desk = await openDesk({
      engine,
      env: { DISCORD_API_ROOT: there.root, OUTGOING_ALLOW: '127.0.0.0/8' },
    })
  })
  afterAll(async () => {
    await desk.server.close()
    await robot.close()
    await there.close()
  })
  const rows = (uid = desk.person.uid) => receiversOf(desk.server.app.db, uid)
  const ofWebhook = async () => {
    const [row] = await receiversOf(desk.server.app.db, desk.person.uid, 'webhook')
    if (!row) throw new Error('no webhook')
    return openReceiver(desk.server.app, row)
  }

  test('a Discord address is asked, kept sealed, and shown without what lets anybody write there', async () => {
    const hook = there.webhook('盤中訊號')
    const answer = await desk.person.call(updateChannel, { channel: 'discord', address: hook.url })
    expect(answer).toMatchObject({ channel: 'discord', state: 'bound', name: '盤中訊號', reason: null })
    expect(answer.config).toMatchObject({
      address: `discord.com/api/webhooks/${hook.id}/…`,
      strategies: null,
    })
    expect(answer).not.toHaveProperty('secret')
    const [row] = await rows()
    const secret = new URL(hook.url).pathname.split('/').at(-1) as string
    expect(JSON.stringify(row)).not.toContain(secret)
    expect(JSON.stringify(answer)).not.toContain(secret)
  })
  test('another address takes the place of the first; a wrong one changes nothing', async () => {
    const hook = there.webhook('第二個')
    await desk.person.call(updateChannel, { channel: 'discord', address: hook.url })
    const gone = there.webhook()
    gone.remove()
    for (const address of [gone.url, 'https://example.com/', '']) {
      const error = await refused(desk.person.call(updateChannel, { channel: 'discord', address }))
      expect(error.details.fields).toHaveProperty('address')
    }
    expect((await rows()).map(({ name }) => name)).toEqual(['第二個'])
  })
  test('the same address entered by somebody else takes it away from nobody', async () => {
    const address = `${robot.url}/shared`
    await desk.person.call(updateChannel, { channel: 'webhook', address })
    await desk.stranger.call(updateChannel, { channel: 'webhook', address })
    expect(await receiversOf(desk.server.app.db, desk.person.uid, 'webhook')).toHaveLength(1)
    expect(await receiversOf(desk.server.app.db, desk.stranger.uid, 'webhook')).toHaveLength(1)
    await desk.person.call(deleteChannel, { channel: 'webhook' })
    expect(await receiversOf(desk.server.app.db, desk.stranger.uid, 'webhook')).toHaveLength(1)
    await desk.stranger.call(deleteChannel, { channel: 'webhook' })
  })
  test('the secret of a webhook is shown once; changed, the one before signs on for a day', async () => {
    const first = await desk.person.call(updateChannel, { channel: 'webhook', address: `${robot.url}/in` })
    expect(first.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const again = await desk.person.call(updateChannel, { channel: 'webhook', address: `${robot.url}/other` })
    expect(again).not.toHaveProperty('secret')
    expect((await ofWebhook()).config).toMatchObject({ secret: first.secret })
    const rotated = await desk.person.call(updateChannel, { channel: 'webhook', rotate: true })
    expect(rotated.secret).not.toBe(first.secret)
    const { address, config } = await ofWebhook()
    expect(address).toBe(`${robot.url}/other`)
    expect(config).toMatchObject({ secret: rotated.secret, old: { secret: first.secret } })
    const [row] = await receiversOf(desk.server.app.db, desk.person.uid, 'webhook')
    for (const secret of [first.secret, rotated.secret])
      expect(JSON.stringify(row)).not.toContain(secret?.slice(6, 30))
  })
  test('only strategies that the person sees can be chosen', async () => {
    const own = await desk.make()
    const { app } = desk.server
    const organization = await makeOrganization(app, '浪花訊號社', [
      { uid: desk.stranger.uid, role: 'admin' },
      { uid: desk.person.uid, role: 'member' },
    ])
    const theirs = await desk.stranger.call(
      createStrategy,
      { kind: 'futures', name: '組織的', settings: { product_code: 'TXF' } },
      { 'lb-org-id': organization },
    )
    const answer = await desk.person.call(updateChannel, { channel: 'webhook', strategies: [own.id] })
    expect(answer.config.strategies).toEqual([own.id])
    for (const strategies of [[own.id, theirs.id], ['01990000-0000-7000-8000-000000000001'], []]) {
      const error = await refused(desk.person.call(updateChannel, { channel: 'webhook', strategies }))
      expect(error.details.fields).toHaveProperty('strategies')
    }
    const kept = await desk.person.call(updateChannel, { channel: 'webhook', address: `${robot.url}/in` })
    expect(kept.config.strategies).toEqual([own.id])
    const all = await desk.person.call(updateChannel, { channel: 'webhook', strategies: null })
    expect(all.config.strategies).toBeNull()
  })
  test('an address that was lost stays lost when only its strategies change; a new secret or address tries it again', async () => {
    const own = await desk.make()
    const { db } = desk.server.app
    const put = (change: object) => desk.person.call(updateChannel, { channel: 'webhook', ...change })
    const row = async () => (await receiversOf(db, desk.person.uid, 'webhook'))[0]
    const reason = '對方說不再收（410）'
    const lose = () =>
      db
        .updateTable('channel_receivers')
        .set({ state: 'gone', reason })
        .where('uid', '=', desk.person.uid)
        .execute()
    await put({ address: `${robot.url}/in` })
    for (const strategies of [[own.id], null]) {
      await lose()
      await put({ strategies })
      expect(await row()).toMatchObject({ state: 'gone', reason })
      expect((await ofWebhook()).config['strategies']).toEqual(strategies)
    }
    for (const change of [{ rotate: true }, { address: `${robot.url}/in`, strategies: [own.id] }, {}]) {
      await lose()
      await put(change)
      expect(await row()).toMatchObject({ state: 'bound', reason: null })
    }
    await put({ strategies: null })
  })
  test('what needs an address says so; a channel without one is no such call', async () => {
    const { stranger } = desk
    for (const input of [{ channel: 'webhook', rotate: true } as const, { channel: 'discord' } as const])
      expect((await refused(stranger.call(updateChannel, input))).details.fields).toHaveProperty('address')
    expect(
      (await refused(desk.person.call(updateChannel, { channel: 'discord', rotate: true }))).details.fields,
    ).toHaveProperty('rotate')
    expect((await refused(stranger.call(updateChannel, { channel: 'email' as 'discord' }))).code).toBe(4040)
  })
  test('several changes at once leave one address', async () => {
    const { stranger } = desk
    const ways = ['a', 'b', 'c', 'd'].map((way) => `${robot.url}/${way}`)
    const answers = await Promise.all(
      ways.map((address) => stranger.call(updateChannel, { channel: 'webhook', address })),
    )
    expect(answers.filter(({ secret }) => secret !== undefined)).toHaveLength(1)
    expect(await receiversOf(desk.server.app.db, stranger.uid, 'webhook')).toHaveLength(1)
  })
  test('removed, nothing of it is left; removing what is not there is no fault', async () => {
    for (let times = 0; times < 2; times++)
      for (const channel of ['discord', 'webhook'] as const)
        expect(await desk.person.call(deleteChannel, { channel })).toBeNull()
    expect(await rows()).toEqual([])
  })
})
