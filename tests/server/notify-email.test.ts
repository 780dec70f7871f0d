// 電子郵件: what a mail server says becomes what happens next; every letter is known again and can be left (threats F24, T16).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OutgoingMessage, SendResult } from '#server/notify/channel.ts'
import { email, resultOf } from '#server/notify/channels/email.ts'
import { type MailLetter, type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { outgoingMessageOf, receiverOf } from '#tests/support/outgoing-message.ts'
import { freePort } from '#tests/support/port.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const send = (server: TestServer, message: OutgoingMessage, signal = new AbortController().signal) =>
  email.send(server.app, receiverOf('someone@example.com'), message, signal)

describe('mail as a channel', () => {
  let post: MailServer
  let server: TestServer
  beforeAll(async () => {
    post = await startMailServer()
    server = await startServer({
      env: { SMTP_URL: post.url, MAIL_FROM: '凌波 <no-reply@lingbo.test>' },
    })
  })
  afterAll(async () => {
    await server.close()
    await post.close()
  })
  beforeEach(() => {
    post.letters.length = 0
  })
  afterEach(() => expect(post.wrong).toEqual([]))

  test('a letter in our dress: the words, the link, the id of the message, and one press to leave its kind', async () => {
    const message = outgoingMessageOf()
    expect(await send(server, message)).toEqual({ kind: 'sent' })
    const { to, from, subject, text, source, headers, message_id } = post.letters[0] as MailLetter
    expect({ to, from, subject }).toEqual({
      to: 'someone@example.com',
      from: 'no-reply@lingbo.test',
      subject: message.words.title,
    })
    for (const line of [...message.words.lines, message.url, '林小波 你好', '不再用電子郵件收「訊號」'])
      expect(text).toContain(line)
    expect(source).toContain('text/html')
    expect(message_id).toBe(`<${message.key}@lingbo.test>`)
    expect(headers.get('auto-submitted')).toBe('auto-generated')
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const leave = /^<(.*)>$/.exec(headers.get('list-unsubscribe') ?? '')?.[1]
    expect(leave).toMatch(new RegExp(`^${server.app.config.public_url}/unsubscribe/[\\w.-]+$`))
    expect(text).toContain(leave)
  })
  test('a name that looks like headers or like HTML is a name', async () => {
    const words = {
      title: '突破\r\nBcc: victim@example.com\r\n\r\n<h1>',
      lines: ['<img src=x onerror=alert(1)>'],
    }
    expect(await send(server, outgoingMessageOf({ words }))).toEqual({ kind: 'sent' })
    const { to, source, headers } = post.letters[0] as MailLetter
    expect(to).toBe('someone@example.com')
    expect(headers.has('bcc')).toBe(false)
    expect(post.letters).toHaveLength(1)
    expect(source).not.toContain('<img src=x')
  })
  test('whoever greylists is tried again later, with the same letter', async () => {
    post.faults.next({ at: 'recipient', status: 451, says: '4.7.1 greylisted, try later' })
    const message = outgoingMessageOf()
    expect(await send(server, message)).toEqual({
      kind: 'again',
      reason: '收件伺服器要求稍後再送（451 4.7.1）',
      after_ms: 60_000,
    })
    expect(post.letters).toEqual([])
    expect(await send(server, message)).toEqual({ kind: 'sent' })
    expect(post.letters).toHaveLength(1)
  })
  test('no such mailbox ends the channel; a letter that is refused ends the letter', async () => {
    post.faults.next(
      { at: 'recipient', status: 550, says: '5.1.1 no such user' },
      { at: 'recipient', status: 550, says: '5.7.1 blocked' },
      { status: 554, says: '5.6.0 spam' },
    )
    const outcomes: SendResult[] = []
    for (let at = 0; at < 3; at++) outcomes.push(await send(server, outgoingMessageOf()))
    expect(outcomes).toEqual([
      { kind: 'lost', state: 'failing', reason: '收件伺服器說沒有這個信箱（550 5.1.1）' },
      { kind: 'refused', reason: '收件伺服器拒收這封信（550 5.7.1）' },
      { kind: 'refused', reason: '收件伺服器拒收這封信（554 5.6.0）' },
    ])
  })
  test('a line that breaks after the letter: sent once, unsure, and the next one is known as the same', async () => {
    post.faults.next({ drop: 'after' })
    const message = outgoingMessageOf()
    expect(await send(server, message)).toMatchObject({ kind: 'again', reason: /不確定是否收下/ })
    expect(post.letters).toHaveLength(1)
    expect(await send(server, message)).toEqual({ kind: 'sent' })
    const [first, second] = post.letters
    expect(post.repeated).toEqual([`<${message.key}@lingbo.test>`])
    for (const name of ['date', 'subject']) expect(second?.headers.get(name)).toBe(first?.headers.get(name))
  })
  test('a letter of a test has nothing to leave', async () => {
    await send(server, outgoingMessageOf({ kind: 'test' }))
    expect(post.letters[0]?.headers.has('list-unsubscribe')).toBe(false)
    expect(post.letters[0]?.text).not.toContain('/unsubscribe/')
  })
  test('told to stop, it does not wait for the mail server', async () => {
    const stopped = new AbortController()
    stopped.abort()
    expect(await send(server, outgoingMessageOf(), stopped.signal)).toMatchObject({ kind: 'again' })
  })
})

describe('without a mail server that answers', () => {
  test('nobody there is everybody’s trouble, and passes', async () => {
    const server = await startServer({ env: { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` } })
    try {
      expect(await send(server, outgoingMessageOf())).toEqual({
        kind: 'again',
        all: true,
        reason: '郵件伺服器連不上',
      })
    } finally {
      await server.close()
    }
  })
  test('without SMTP_URL nothing goes, unless somebody takes the files and brings them on', async () => {
    const config = (smtp_url: string | null, mail_pickup: boolean) =>
      ({ config: { smtp_url, mail_pickup } }) as Parameters<typeof email.unavailable>[0]
    expect(email.unavailable(config(null, false))).toContain('沒有郵件伺服器')
    expect(email.unavailable(config('smtp://mail.example', false))).toBeNull()
    expect(email.unavailable(config(null, true))).toBeNull()
    const server = await startServer({ env: { MAIL_PICKUP: 'true' } })
    try {
      expect(await send(server, outgoingMessageOf())).toEqual({ kind: 'sent' })
      expect(await server.mails()).toMatchObject([
        { to: 'someone@example.com', subject: '台指突破 · 多單進場' },
      ])
    } finally {
      await server.close()
    }
  })
})

describe('what an answer means', () => {
  const minutes = (count: number) => count * 60_000
  test.each([
    [0, 1],
    [2, 5],
    [30, 15],
    [90, 30],
  ])('a letter %i minutes old that is put off is tried again in %i', (age, pause) => {
    const told = { answer: 450, detail: null, step: 'RCPT TO', code: 'EENVELOPE' }
    expect(resultOf(told, minutes(age))).toMatchObject({ kind: 'again', after_ms: minutes(pause) })
  })
  test('our own account and our own name are no fault of the mailbox', () => {
    expect(resultOf({ answer: 535, detail: '5.7.8', step: 'AUTH PLAIN', code: 'EAUTH' }, 0)).toMatchObject({
      kind: 'again',
      all: true,
    })
    expect(resultOf({ answer: 550, detail: null, step: 'MAIL FROM', code: 'EENVELOPE' }, 0)).toMatchObject({
      kind: 'again',
    })
  })
})
