// Every interface text that the specification writes itself, verbatim. The only file where its own words may differ from Taiwan's usage (ruling C24).

/** Spec §2: loading screens. */
export const LOADING = {
  page: { title: '載入中...', subtitle: '正在載入頁面' },
  profile: { title: '載入中...', subtitle: '正在獲取用戶資料' },
} as const

/** Spec §2: the top-level error screen. */
export const APP_ERROR = { title: '應用程序發生錯誤', home: '返回首頁', reload: '重新載入' } as const

/** Spec §2: the shells. */
export const NAV = {
  home: '首頁',
  strategies: '策略列表',
  strategies_short: '策略',
  my_organizations: '我的組織',
  manage: '組織管理',
  info: '組織詳情',
  organization_short: '組織',
  manage_short: '管理',
  info_short: '資訊',
  create: '新增策略',
  notifications: '訊號通知',
  profile: '個人設定',
  logout: '登出',
  switch_identity: '切換身份',
} as const

/** Spec §2: creating a strategy asks for a verified e-mail first. */
export const VERIFY_FIRST = {
  title: '請驗證信箱',
  text: '請盡快完成電子郵件驗證，以啟用完整功能',
  go: '前往驗證',
} as const

/** Spec §4, §6: who one is. */
const ROLE_WORDS = { admin: '組織管理者', member: '組織成員' } as const

export const IDENTITY = {
  ...ROLE_WORDS,
  to_personal: '已切換至個人身份',
  /** 已切換至 {org} 組織管理者 / 組織成員 身份 */
  to_organization: (name: string, role: 'admin' | 'member') => `已切換至 ${name} ${ROLE_WORDS[role]} 身份`,
} as const

/** Spec §4: privacy mode and signing out. */
export const PRIVACY = { on: '隱私模式已開啟', off: '隱私模式已關閉' } as const
export const SIGNED_OUT = '登出成功'

/** Spec §5, §8: signing in. */
export const LOGIN = {
  wrong: '帳號或密碼輸入錯誤，請再試一次',
  failed: '登入失敗',
  default: '登入失敗，請檢查帳號和密碼',
  network: { title: '網絡錯誤', text: '登入失敗，請檢查網絡連接' },
  bad_token: '無效的令牌數據',
  needed: { title: '未登入', text: '您尚未登入，請先登入' },
} as const

/** Spec §8: registering. */
export const REGISTER = {
  failed: '註冊失敗',
  default: '註冊失敗，請檢查輸入的信息',
  network: '註冊失敗，請檢查網絡連接',
  done: '註冊成功，請登入',
} as const

/** Spec §8: profile, e-mail, context. */
export const PROFILE = {
  fetch_failed: '獲取用戶資料失敗',
  read_failed: '獲取用戶信息失敗',
  update_failed: '更新個人資料失敗',
  updated: '個人資訊已更新',
} as const
export const CONTEXT = {
  data_failed: '獲取組織數據失敗',
  missing: '找不到指定的組織',
  switch_failed: '切換上下文失敗',
} as const

/** Spec §8: titles of the global error list. */
export const ERROR_TITLES = {
  api: 'API錯誤',
  network: '網路錯誤',
  validation: '驗證錯誤',
  authentication: '認證錯誤',
  authorization: '授權錯誤',
  unknown: '未知錯誤',
} as const
export const MORE_ERRORS = (count: number) => `還有 ${count} 個錯誤未顯示`

/** Spec §8: forgotten password and changing the e-mail. */
export const FORGOT = { failed: '發送驗證信失敗', later: '發送驗證信失敗，請稍後再試' } as const
export const EMAIL = {
  wrong_password: '當前密碼不正確，請再試一次',
  taken: '電子郵件更新失敗，此電子郵件已被註冊',
  updated: '電子郵件已更新，請至信箱查看驗證碼並進行驗證',
} as const
