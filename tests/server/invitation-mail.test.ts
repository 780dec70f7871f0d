// The mail that invites: what it asks of somebody, and the days as the screens write them.
import { expect, test } from 'vitest'
import { invitationMail } from '#server/mail/messages.ts'

test('asks for no verification, because the link itself proves the mailbox (ruling C44)', () => {
  const { text } = invitationMail({
    to: 'someone@example.com',
    organization: '浪花訊號社',
    invited_by: '林站長',
    role: 'member',
    expires_on: '2026-12-31',
    url: 'https://lingbo.example/my-organizations?invite=code',
    days: 7,
  })
  expect(text).not.toContain('驗證')
  expect(text).toContain('身份是成員，期間到 2026/12/31 為止')
})
