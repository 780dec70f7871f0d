// What the bot says.
import type { BotCommand } from 'grammy/types'

/** Before the code in the button that takes a chat over: 64 bytes are all that fits. */
export const REBIND = 'rebind:'

export const MENU: readonly BotCommand[] = [
  { command: 'today', description: '今天的訊號與損益' },
  { command: 'positions', description: '目前的部位' },
  { command: 'mute', description: '靜音：1h、30m、tomorrow' },
  { command: 'unmute', description: '取消靜音' },
  { command: 'app', description: '打開凌波並登入（一次性連結）' },
  { command: 'heads', description: '每日紀錄指紋：on、off' },
  { command: 'help', description: '可以做什麼' },
]

export const FAILED = '剛才沒有處理成功，請稍後再試一次。'
export const BLOCKED = '你在 Telegram 封鎖了機器人，請解除封鎖後重新綁定'
export const THROWN_OUT = '機器人被移出群組，請重新加入'
export const NOT_YOURS = '這個群組由別人綁定，請在與機器人的一對一聊天室使用指令。'
export const NOT_IN_GROUPS = '登入連結只在一對一聊天室提供，請私訊機器人。'
export const GROUP_TAKEN = '這個群組已由另一位成員綁定，請對方先在凌波解除綁定。'
export const TOO_MANY = '登入連結要得太頻繁，請一小時後再試。'
export const HOW_TO_MUTE = '看不懂要靜音多久。例如：/mute 1h、/mute 30m、/mute tomorrow（到明天早上 8 點）。'
export const UNMUTED = '已取消靜音，新訊號會送到這裡。'
export const HEADS_ON =
  '好，每天下午 2 點以後，有新紀錄的策略會把當天的紀錄指紋送到這裡。留著它，之後誰改了歷史都對不上。'
export const HEADS_OFF = '好，不再送每日紀錄指紋。'

export const NOT_BOUND = {
  unknown: '這個綁定連結不正確或已被新的取代，請回到凌波重新產生。',
  expired: '這個綁定連結已過期（10 分鐘內有效），請回到凌波重新產生。',
  used: '這裡已經綁定好了，輸入 /help 看看可以做什麼。',
  spoilt: '有另一個聊天也用了這個連結，為了安全已經作廢。請回到凌波重新產生。',
} as const

export const waiting = (page: string): string =>
  `收到。最後一步：回到凌波按「是我，連結」，之後新訊號會送到這裡。\n${page}`

export const bound = (name: string, group: boolean): string =>
  `綁定成功：${name}\n新訊號會送到${group ? '這個群組' : '這裡'}。輸入 /help 看看可以做什麼。`

export const taken = (name: string): string =>
  `這個聊天已綁定另一個凌波帳號。要改成「${name}」嗎？改綁後，原本的帳號不再送訊息到這裡。`

export const unbound = (url: string): string =>
  `這裡還沒有連結凌波帳號。請登入凌波，在「訊號通知 → 設定」按「綁定 Telegram」。\n${url}/signal-notification`

export const inGroup = (username: string | null): string =>
  `大家好，我是凌波。要把訊號送到這個群組，請在凌波按「綁定 Telegram」，把連結最後的代碼貼在這裡：\n/start${username === null ? '' : `@${username}`} 代碼`

export const muted = (until: string): string => `好，到 ${until} 之前不送訊息到這裡。/unmute 可以提早恢復。`

export const heads = (on: boolean): string =>
  `每日紀錄指紋目前${on ? '開啟' : '關閉'}。/heads on 開啟，/heads off 關閉。`

export const signIn = (url: string): string =>
  `點這個連結登入凌波。15 分鐘內有效，只能用一次，請不要轉傳：\n${url}`

export const doubted = (page: string): string =>
  `綁定這個聊天的登入已經結束，或密碼變更過了。為了安全，這裡先不提供登入連結；請登入凌波，在「訊號通知 → 設定 → Telegram」確認這個聊天是你的。\n${page}`

export const TRUSTED = '好，/app 又可以打開凌波並登入了。'

export const help = (group: boolean): string =>
  [
    '可以這樣問我：',
    '/today 今天的訊號與損益',
    '/positions 目前的部位',
    '/mute 1h 靜音一小時（也可以 30m、tomorrow）',
    '/unmute 取消靜音',
    ...(group ? [] : ['/app 打開凌波並登入']),
    '/heads on 每天收到紀錄指紋',
    '要解除綁定，請到凌波的「訊號通知 → 設定」。',
  ].join('\n')
