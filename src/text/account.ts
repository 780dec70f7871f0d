// What is said of a new password that is typed twice, beyond the contract's bounds for its length.
import { isCommon, TOO_COMMON } from '#contract/common-passwords.ts'
import { CONSENT_LIFE_S, PASSWORD_MIN, SSO_LIFE_S } from '#contract/limits.ts'
import type { OauthScope, SsoError } from '#contract/oauth.ts'

/** Messages for the password in the field `name` and its repetition in `again`, added to those `found` so far; the first of a field stays. */
export function withNewPassword<Name extends string>(
  found: Record<string, string>,
  name: Name,
  values: Record<Name | 'again', string>,
): Record<string, string> {
  const all = { ...found }
  if (isCommon(values[name])) all[name] ??= TOO_COMMON
  if (values.again === '') all['again'] = '請再輸入一次密碼'
  else if (values.again !== values[name]) all['again'] = '兩次輸入的密碼不一樣'
  return all
}

// What makes a password weak: too short, too common, too uniform. Only advice; the bounds are the contract's.

/** 0 nothing typed, 1 weak, 2 fair, 3 strong. */
export type Strength = 0 | 1 | 2 | 3
export const STRENGTH_WORDS = ['', '弱', '普通', '強'] as const

/** An estimate from length, kinds of characters and how many of them differ. */
export function strength(password: string): Strength {
  if (password === '') return 0
  if (password.length < PASSWORD_MIN || isCommon(password)) return 1
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length
  const different = new Set(password).size
  const score = password.length + kinds * 3 + different / 2
  return score >= 26 && different >= 8 ? 3 : score >= 17 ? 2 : 1
}

// What is said where a server has nobody to send its mails.

/** Without its full stop: what to do follows. */
export const MAIL_IN_FOLDER = '這台伺服器還沒設定寄信：信寫成檔案，放在伺服器資料夾的 mail 裡'

// What applications of others may do, in the words people decide by; and why a sign-in elsewhere did not work.

/** Each scope: what it allows, and what that means. */
export const SCOPES: Record<OauthScope, { title: string; text: string }> = {
  openid: { title: '認得你', text: '知道每次來的是同一個人' },
  profile: { title: '看到你的姓名與頭像', text: '只能看，不能改' },
  email: { title: '看到你的電子郵件', text: '以及是否已驗證' },
  'signals:read': { title: '讀取訊號', text: '即時訊號與歷史紀錄，包含你所屬組織的' },
  'strategies:read': { title: '讀取策略與績效', text: '名稱、設定、部位與統計，包含你所屬組織的' },
  'signals:write': {
    title: '以你的名義送出訊號',
    text: '看得到這個策略的人會馬上看到，也會留在不可竄改的紀錄裡',
  },
  offline_access: { title: '在你離開後繼續存取', text: `直到你收回，最長 ${CONSENT_LIFE_S / 86_400} 天` },
}

/** Why there is no ticket: what happened and what to do. */
export const SSO_REASONS: Record<SsoError, { title: string; text: string }> = {
  denied: { title: '你取消了登入', text: '沒有任何變更。可以再試一次，或用密碼登入。' },
  expired: {
    title: '這次登入已經過期',
    text: `從開始到完成要在 ${SSO_LIFE_S / 60} 分鐘內、同一個瀏覽器裡。請再試一次。`,
  },
  email: {
    title: '對方沒有提供電子郵件',
    text: '凌波以電子郵件認得帳號。請在那裡補上電子郵件，或直接用密碼登入。',
  },
  failed: { title: '沒有完成登入', text: '對方的服務沒有正確回應。請稍後再試，或用密碼登入。' },
}
