// What a person changes of their own: name, picture, e-mail and its verification (spec §3, §7; wire.md §2). What is read at every start is start.ts.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { at, image, name_text, nothing, seen } from './fields.ts'
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
