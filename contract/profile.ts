// What a person changes of their own: name, picture, e-mail and its verification (spec §3, §7; wire.md §2). What is read at every start is start.ts.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { at, id, image, name_text, nothing, seen } from './fields.ts'
import { email, typed_password } from './session.ts'
import { profile } from './start.ts'

export { getProfile, type Profile, profile } from './start.ts'

/** When the person made the change; an older one than what stands there is ignored (ruling A19). Absent: now. */
const edited_at = () => z.optional(at())

export const updateProfile = endpoint({
  name: 'profile.update',
  method: 'PUT',
  path: '/user/profile',
  who: 'login',
  when_offline: 'queue',
  about: '更新我的資料；avatar 只接受 null（移除），其餘欄位只能讀，送來會略過',
  input: z.object({
    name: z.optional(name_text(60, '請輸入姓名')),
    // A picture comes by its own call; whoever puts the whole profile back sends its address along.
    avatar: z.optional(z.nullable(z.string().check(seen()))),
    edited_at: edited_at(),
  }),
  output: profile,
})

export const updateName = endpoint({
  name: 'profile.update-name',
  method: 'PUT',
  path: '/user/name',
  who: 'login',
  when_offline: 'queue',
  about: '更新姓名',
  input: z.object({ name: name_text(60, '請輸入姓名'), edited_at: edited_at() }),
  output: z.object({ name: z.string() }),
})

export const sendVerification = endpoint({
  name: 'profile.send-verification',
  method: 'POST',
  path: '/user/verify/send',
  who: 'login',
  when_offline: 'fail',
  about: '寄出電子郵件驗證碼',
  input: z.object({}),
  output: z.object({ resend_after_s: z.number(), expires_at: at() }),
})

export const verifyEmail = endpoint({
  name: 'profile.verify-email',
  method: 'POST',
  path: '/user/email/verify',
  who: 'login',
  when_offline: 'fail',
  about: '送出電子郵件驗證碼',
  input: z.object({
    code: z.string('請輸入驗證碼').check(z.trim(), z.regex(/^\d{6}$/, '驗證碼是 6 位數字')),
  }),
  output: nothing(),
})

export const updateEmail = endpoint({
  name: 'profile.update-email',
  method: 'PUT',
  path: '/user/email',
  who: 'login',
  when_offline: 'fail',
  about: '更新電子郵件（也就是帳號）；須重新驗證，驗證碼寄到新信箱',
  input: z.object({ new_email: email(), password: typed_password() }),
  output: z.object({ email: z.string() }),
})

export const uploadAvatar = endpoint({
  name: 'profile.avatar',
  method: 'POST',
  path: '/user/avatar',
  who: 'login',
  when_offline: 'fail',
  body: 'image',
  about: '上傳頭像（PNG、JPEG、WebP，最大 8 MB）；存成 512 像素以內的 WebP，不含拍攝資訊',
  input: z.object({ image: image() }),
  output: z.object({ avatar: z.string() }),
})

export const deleteAccount = endpoint({
  name: 'profile.delete',
  method: 'DELETE',
  path: '/user',
  who: 'login',
  when_offline: 'fail',
  about: '刪除帳號；還是某個組織唯一沒有到期日的管理者時拒絕（4093）',
  input: z.object({ password: typed_password() }),
  output: nothing(),
})

export const exportAccount = endpoint({
  name: 'profile.export',
  method: 'GET',
  path: '/user/export',
  who: 'login',
  when_offline: 'fail',
  answer: 'file',
  about: '匯出我的資料：一個 JSON 檔',
  input: z.object({}),
  output: z.unknown(),
})

// How much room an owner uses on this server, and how much there is (docs/decisions/usage.md). A person's room is shared by the organizations
// that the person leads.

const share = z.object({ used: z.number(), most: z.number() })

const lines = {
  /** What is refused when it is full. */
  strategies: share,
  note_signs: share,
  image_bytes: share,
  /** Rows of files of XQ, and the records that these have ever made. */
  original_bytes: share,
  imported: share,
  rules: share,
  /** Of announcements: titles and texts. */
  announcement_signs: share,
  /** Bodies kept of messages that became no signal; further ones are not kept. */
  refused_bytes: share,
  /** What gives way when it is full, the oldest first: bodies of messages that became signals, then rows. */
  message_bytes: share,
  deliveries: share,
  events: share,
  access_notes: share,
  /** Records of signals: kept for good, without a bound. */
  records: z.number(),
}

const usage = z.object({
  ...lines,
  /** Of the account: answers kept for keys, the inbox with its deliveries, and sign-ins, ended ones among them; the oldest give way. */
  answer_bytes: share,
  notifications: share,
  sign_ins: share,
  /** Devices and chats that are told; those that are gone give way, one more of a kind than there may be is refused, or takes a place. */
  receivers: share,
})
export type Usage = z.infer<typeof usage>

const organization_usage = z.object(lines)
export type OrganizationUsage = z.infer<typeof organization_usage>

export const readUsage = endpoint({
  name: 'profile.usage',
  method: 'GET',
  path: '/user/usage',
  who: 'login',
  when_offline: 'fail',
  about: '我和我帶領的組織在伺服器上用了多少空間、最多多少',
  input: z.object({}),
  output: usage,
})

export const readOrganizationUsage = endpoint({
  name: 'organization.usage',
  method: 'GET',
  path: '/organizations/:id/usage',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '組織在伺服器上用了多少空間、最多還能到多少',
  input: z.object({ id: id() }),
  output: organization_usage,
})
