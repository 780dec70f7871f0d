// What the official account says.

/** Before a code: it binds; with the second word also a chat of another account. */
export const BIND = '綁定'
export const REBIND = '改綁'

export const NOT_BOUND = {
  unknown: '這個綁定代碼不正確或已被新的取代，請回到凌波重新產生。',
  expired: '這個綁定代碼已過期（10 分鐘內有效），請回到凌波重新產生。',
  used: '這裡已經綁定好了，新訊號會送到這裡。',
  spoilt: '有另一個帳號也用了這個代碼，為了安全已經作廢。請回到凌波重新產生。',
} as const

export const BLOCKED = '你在 LINE 封鎖了官方帳號，請解除封鎖後重新綁定'

export const waiting = (page: string): string =>
  `收到。最後一步：回到凌波按「是我，連結」，之後新訊號會送到這裡。\n${page}`

export const bound = (name: string): string => `綁定成功：${name}\n新訊號會送到這裡。`

export const taken = (name: string): string =>
  `這個 LINE 已綁定另一個凌波帳號。要改成「${name}」請按下面的「改綁」。改綁後，原本的帳號不再送訊息到這裡。`

export const unbound = (url: string): string =>
  `這裡還沒有連結凌波帳號。請登入凌波，在「訊號通知 → 設定」按「綁定 LINE」。\n${url}/signal-notification`

export const known = (url: string): string =>
  `已連結凌波，新訊號會送到這裡。要看紀錄或解除綁定，請到凌波：\n${url}/signal-notification`
