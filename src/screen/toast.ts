// Short messages over the page. The library behind them is loaded after the first paint, so a call may come before it.
import { TOAST_MS } from '#contract/limits.ts'

/** Spec §3; `duration` in ms (5,000 by default). `action` is one verb at the right. */
export interface Toast {
  title: string
  description?: string
  variant?: 'default' | 'destructive'
  duration?: number
  icon?: 'check' | 'offline' | 'warning' | 'info'
  action?: { label: string; onPick: () => void }
}

/** Takes every message away: the step that they spoke of is over. */
export function clearToasts(): void {
  import('./toaster.tsx').then(
    ({ clear }) => clear(),
    (error: unknown) => console.warn('toast', error),
  )
}

/** Shows a message. Screen readers hear it politely, a destructive one at once. */
export function toast(message: Toast): void {
  import('./toaster.tsx').then(
    ({ show }) => show({ duration: TOAST_MS, ...message }),
    (error: unknown) => {
      // the chunk is not on this device yet and the network is gone: the words still reach the live region
      console.warn('toast', error)
      const region = document.getElementById('announce')
      if (region) region.textContent = [message.title, message.description].filter(Boolean).join('，')
    },
  )
}
