// The mail server of the tests takes letters as they should be, says what is wrong with others, and fails as real ones do.
import { connect } from 'node:net'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'

const LETTER = {
  from: '凌波 <no-reply@lingbo.test>',
  to: '收信人 <me@example.com>',
  subject: '【台指突破】多單進場',
  text: '小台 2 口 @46,512',
  html: '<p>小台 2 口</p>',
} satisfies SendMailOptions

describe('the mail server', () => {
  let server: MailServer
  beforeEach(async () => {
    server = await startMailServer()
  })
  afterEach(() => server.close())
  const send = async (letter: SendMailOptions, patience: { socketTimeout?: number } = {}) => {
    const transport = createTransport({ url: server.url, ...patience })
    const sent = await transport.sendMail(letter).then(
      () => 250,
      (error: { responseCode?: number }) => error.responseCode ?? 0,
    )
    transport.close()
    return sent
  }

  test('takes a letter with everything that belongs to it', async () => {
    const list = { unsubscribe: { url: 'https://lingbo.test/unsubscribe/x', comment: 'x' } }
    const headers = { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    expect(await send({ ...LETTER, list, headers, messageId: '<a@lingbo.test>' })).toBe(250)
    const { subject, text } = LETTER
    const from = 'no-reply@lingbo.test'
    expect(server.letters).toMatchObject([{ subject, text, from, message_id: '<a@lingbo.test>' }])
    expect(server.wrong).toEqual([])
  })

  test('says what is wrong with a letter, and which came twice', async () => {
    await send({
      ...LETTER,
      html: undefined,
      list: { unsubscribe: 'mailto:x@lingbo.test' },
      messageId: '<b@x.test>',
    })
    await send({ ...LETTER, to: 'a@example.com, b@example.com', messageId: '<b@x.test>' })
    expect(server.repeated).toEqual(['<b@x.test>'])
    expect(server.wrong).toEqual([
      'mail: List-Unsubscribe has no https address',
      'mail: List-Unsubscribe-Post is not “List-Unsubscribe=One-Click”',
      'mail: To is not one address',
    ])
  })

  test('says what is wrong with a letter written by hand', async () => {
    const lines = [
      'EHLO x',
      'MAIL FROM:<a@x.test>',
      'RCPT TO:<b@x.test>',
      'DATA',
      `Subject: 中\n${'x'.repeat(999)}\r\n\r\n.`,
      'QUIT',
    ]
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    for await (const _answer of socket.setEncoding('utf8')) socket.write(`${lines.shift() ?? 'QUIT'}\r\n`)
    expect(server.wrong).toEqual(
      expect.arrayContaining([
        'mail: a line does not end in CRLF',
        'mail: a line is longer than 998',
        'mail: letters in the headers that are not ASCII',
        'mail: From is there 0 times',
        'mail: Message-ID is not <left@right>',
      ]),
    )
  })

  test('greylists, refuses, hangs up with and without the letter, and stays silent', async () => {
    server.greylisting = true
    expect([await send(LETTER), await send(LETTER)]).toEqual([451, 250])
    server.faults.next({ status: 550, at: 'recipient' }, { status: 451 }, { status: 554 })
    expect([await send(LETTER), await send(LETTER), await send(LETTER)]).toEqual([550, 451, 554])
    server.faults.next({ drop: true }, { drop: 'after' }, { hang: true })
    expect([await send(LETTER), await send(LETTER)]).toEqual([0, 0])
    expect(await send(LETTER, { socketTimeout: 500 })).toBe(0)
    expect(await send(LETTER)).toBe(250)
    expect(server.letters).toHaveLength(3)
    expect([server.faults.left, server.wrong]).toEqual([0, []])
  })
})
