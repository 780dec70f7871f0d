// The robot of the tests believes only what is signed as Standard Webhooks says.
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startWebhookReceiver, type WebhookReceiver } from '#tests/support/webhook-receiver.ts'

const OLD = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const NEW = `whsec_${Buffer.alloc(32, 2).toString('base64')}`
const MESSAGE = { type: 'signal.created', timestamp: '2026-11-20T01:15:00Z', data: { id: '1' } }

describe('the receiver of webhooks', () => {
  let robot: WebhookReceiver
  beforeEach(async () => {
    robot = await startWebhookReceiver({ secret: OLD })
  })
  afterEach(() => robot.close())
  const post = async (
    secret: string,
    message: unknown = MESSAGE,
    alter: { id?: string; at?: number; body?: string } = {},
  ) => {
    const body = JSON.stringify(message)
    const [id, at] = [alter.id ?? 'msg_1', new Date(alter.at ?? Date.now())]
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    }
    return (await fetch(robot.url, { method: 'POST', headers, body: alter.body ?? body })).status
  }

  test('takes each message once', async () => {
    expect([await post(OLD), await post(OLD)]).toEqual([204, 204])
    expect(robot.messages).toMatchObject([{ id: 'msg_1', ...MESSAGE }])
    expect([robot.repeated, robot.wrong]).toEqual([['msg_1'], []])
  })

  test('refuses other secrets, other contents, old times and other shapes', async () => {
    expect(await post(NEW)).toBe(401)
    expect(await post(OLD, MESSAGE, { body: JSON.stringify({ ...MESSAGE, data: { id: '2' } }) })).toBe(401)
    expect(await post(OLD, MESSAGE, { at: Date.now() - 3_600_000 })).toBe(401)
    expect(await post(OLD, { ...MESSAGE, type: 'signal' })).toBe(400)
    expect(await post(OLD, { type: 'test', timestamp: MESSAGE.timestamp })).toBe(400)
    expect(robot.messages).toEqual([])
    expect(robot.wrong).toHaveLength(5)
  })

  test('follows a change of the secret', async () => {
    robot.expects(NEW, true)
    expect([await post(OLD, MESSAGE, { id: 'a' }), await post(NEW, MESSAGE, { id: 'b' })]).toEqual([204, 204])
    robot.expects(NEW)
    expect(await post(OLD, MESSAGE, { id: 'c' })).toBe(401)
  })

  test('fails as it is told', async () => {
    robot.faults.next({ status: 429, retry_after: 2 }, { status: 302 }, { drop: 'after' })
    expect([await post(OLD), await post(OLD)]).toEqual([429, 302])
    await expect(post(OLD)).rejects.toThrow()
    expect(robot.messages).toHaveLength(1)
  })
})
