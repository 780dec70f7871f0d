// The lazy half of toasts: @mantine/notifications in our look.
import { notifications } from '@mantine/notifications'
import { MOBILE_BELOW_PX } from '#contract/limits.ts'
import { Icon } from '#ui/Icon.tsx'
import type { Toast } from './toast.ts'
import { isTyping } from './typing.ts'

const TONES = { check: 'good', offline: 'warn', warning: 'danger', info: '' }

/** The last message that only tells something: the next one takes its place, while refusals and offers stay until they are read. */
let told: string | undefined

/** Takes all of them away, those that wait for room as well. */
export function clear(): void {
  notifications.clean()
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
  const sign = icon ?? (variant === 'destructive' ? 'warning' : 'check')
  const id = notifications.show({
    title,
    message: (
      <>
        {description}
        {action && (
          <button
            type="button"
            className="link toast-action"
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
    className: `toast ${TONES[sign]}`,
    autoClose: duration,
    // the phone's keyboard may stand over the bottom of the page
    ...(isTyping() && innerWidth < MOBILE_BELOW_PX && { position: 'top-center' }),
    role: variant === 'destructive' ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': '關閉' },
  })
  if (telling) told = id
}
