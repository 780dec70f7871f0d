// Words of an account: where its mails lie, what it allows other applications.
import { CONSENT_LIFE_S, SSO_LIFE_S } from '#contract/limits.ts'
import type { OauthScope, SsoError } from '#contract/oauth.ts'

// What is said where a server has nobody to send its mails.

/** Whoever reads it looks into no folder of a server: they ask whoever runs it. */
export const noMail = (what: '驗證碼' | '連結') => `這裡還不能寄信，請向管理這台伺服器的人要${what}`

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
