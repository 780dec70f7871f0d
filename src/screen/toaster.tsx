// The lazy half of toasts: @mantine/notifications in our look.
import { notifications } from '@mantine/notifications'
import { MOBILE_BELOW_PX } from '#contract/limits.ts'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/open.ts'
import { isTyping } from './keys.ts'
import css from './toaster.module.css'

/** Spec §3; `duration` in ms (5,000 by default). `action` is one verb at the right. */
export interface Toast {
  title: string
  description?: string
  variant?: 'default' | 'destructive'
  duration?: number
  icon?: 'check' | 'offline' | 'warning' | 'info'
  action?: { label: string; onPick: () => void }
}

const TONES = { check: css.good, offline: css.warn, warning: css.danger, info: undefined }

/** The last message that only tells something: the next one takes its place, while refusals and offers stay until they are read. */
let told: string | undefined
/** What stands there and offers nothing, by its words: said again, it takes its own place, and no pile of the same grows. */
const standing = new Map<string, string>()

/** Signing in, registering, setting a password anew: pages without the tabs, whose one key is at the bottom. */
const outside = () => /^\/(login|reset-password)$/.test(location.pathname)

/** Takes all of them away, those that wait for room as well. */
export function clear(): void {
  notifications.clean()
  standing.clear()
  told = undefined
}

/** Shows one message; pressing its action closes it. */
export function show({
  title,
  description,
  variant = 'default',
  duration = 5_000,
  icon,
  action,
}: Toast): void {
  const telling = variant === 'default' && !action
  if (telling && told !== undefined) notifications.hide(told)
  const words = `${title}\n${description ?? ''}`
  const same = action ? undefined : standing.get(words)
  if (same !== undefined) notifications.hide(same)
  const sign = icon ?? (variant === 'destructive' ? 'warning' : 'check')
  const id = notifications.show({
    title,
    message: (
      <>
        {description}
        {action && (
          <button
            type="button"
            className={cx('link', css.action)}
            onClick={() => {
              notifications.hide(id)
              action.onPick()
            }}
          >
            {action.label}
          </button>
        )}
      </>
    ),
    icon: <Icon name={sign} size={20} />,
    classNames: {
      root: cx(css.root, TONES[sign]),
      icon: css.icon ?? '',
      body: css.body ?? '',
      title: css.title ?? '',
      description: css.description ?? '',
      closeButton: css.close ?? '',
    },
    autoClose: duration,
    onClose: () => {
      if (standing.get(words) === id) standing.delete(words)
    },
    // on phones the keyboard may stand over the bottom of the page, and the door's own key stands there
    ...(innerWidth < MOBILE_BELOW_PX && (isTyping() || outside()) && { position: 'top-center' }),
    role: variant === 'destructive' ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': '收起訊息' },
  })
  if (!action) standing.set(words, id)
  if (telling) told = id
}
