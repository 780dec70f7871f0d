// One step of 為什麼沒收到: how it stands, and what mends it.
import type { SettingChanges } from '#data/nouns/notification-setting.ts'

/** What a button does about it; `open` leads to an address. */
export type Mend =
  | { do: 'open'; href: string; label: string }
  | { do: 'setting'; changes: SettingChanges; name: string; label: string }
  | { do: 'strategy'; changes: { enabled?: true; actions?: 'all'; channels?: null }; label: string }
  | { do: 'push'; label: string }
export interface Check {
  key: string
  /** `bad` stops notifications, `warn` may, `ok` does not; `aside` is off where something else rings; `unknown` cannot be told now. */
  state: 'ok' | 'warn' | 'bad' | 'aside' | 'unknown'
  title: string
  note: string
  /** What it would be judged by is not here. */
  unread?: true
  mend?: Mend
}
