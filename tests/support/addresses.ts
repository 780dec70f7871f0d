// Every address × every identity: who gets in, who is sent where, what waits. Written from spec §2 and §6, not from the routes.
export const ID = '018f4a1e-7b1a-7000-8000-000000000001'

/** O open · L sign in first · 403 no permission · H to /dashboard · S a skeleton of this kind · P the profile's loading screen. */
export type Outcome =
  | 'O'
  | 'L'
  | '403'
  | 'H'
  | 'P'
  | `S:${'list' | 'form' | 'detail' | 'dashboard' | 'default'}`
/** signed out · personal · admin · member · in an organization that is not loaded */
type Row = [Outcome, Outcome, Outcome, Outcome, Outcome]
const everybody: Row = ['O', 'O', 'O', 'O', 'O']
const login_only: Row = ['L', 'O', 'O', 'O', 'P']

/** By address: the page's own heading, and who gets it. */
export const ADDRESSES: Record<string, [heading: string | RegExp, Row]> = {
  '/': ['策略一觸發，一秒內到你的手機。', everybody],
  '/login': ['登入', ['O', 'H', 'H', 'H', 'P']],
  '/reset-password': ['重設密碼', everybody],
  '/auth/oauth/authorize': ['這個授權要求已過期或處理過了', everybody],
  '/sso': ['這次登入已經過期', everybody],
  '/token-login': ['這個登入連結不能用了', everybody],
  '/403': ['目前的身份不能開這一頁', everybody],
  '/test-shadcn': ['表單元件', everybody],
  '/dashboard': [/，王小明$/, login_only],
  '/guide': ['使用說明', login_only],
  '/strategies': ['策略列表', ['L', 'O', 'O', 'O', 'S:list']],
  '/strategies/create': ['新增策略', ['L', 'O', 'O', '403', 'S:form']],
  '/strategies/create/futures': ['新增期貨策略', ['L', 'O', 'O', '403', 'S:form']],
  '/strategies/create/stock': ['新增股票策略', ['L', 'O', 'O', '403', 'S:form']],
  '/strategies/create/xq-stock': ['新增 XQ 股票策略', ['L', 'O', 'O', '403', 'S:form']],
  [`/strategies/${ID}/edit`]: ['編輯策略', ['L', 'O', 'O', '403', 'S:form']],
  [`/strategies/${ID}`]: ['策略', ['L', 'O', 'O', 'O', 'S:detail']],
  '/profile': ['個人設定', login_only],
  '/my-organizations': ['我的組織', login_only],
  '/my-announcements': ['公告', login_only],
  '/signal-notification': ['訊號通知', login_only],
  [`/organizations/${ID}/announcements`]: ['組織公告', ['L', 'O', 'O', 'O', 'S:list']],
  '/organizations/create': ['建立組織', ['L', 'O', '403', '403', 'S:form']],
  '/organizations/manage': ['組織管理', ['L', '403', 'O', '403', 'S:list']],
  '/organizations/info': ['組織詳情', ['L', 'O', 'O', 'O', 'S:detail']],
  '/component-demo': ['元件展示', login_only],
  '/tests/permission': ['權限測試', login_only],
  '/search-form-demo': ['篩選表單', ['O', 'O', 'O', 'O', 'P']],
  '/demo-strategylist': ['策略列表示範', ['O', 'O', 'O', 'O', 'P']],
  '/demo-strategylist/icons': ['圖示', ['O', 'O', 'O', 'O', 'P']],
  '/demo-strategylist/color-test': ['色彩與對比', ['O', 'O', 'O', 'O', 'P']],
  // the product's own addition
  '/signals': ['全部訊號', ['L', 'O', 'O', 'O', 'S:list']],
}

/** Addresses of no page. */
export const NOWHERE = [
  '/nowhere',
  '/strategies/a/b/c',
  '/organizations',
  '/organizations/x/y',
  '/demo-strategylist/x',
]
