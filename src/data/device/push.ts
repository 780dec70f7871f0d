// Pushes on this device: whether the browser can, the subscription it has, what it shows, and that all of it goes with the person.
import { savePush } from './session-db.ts'

/** `needs_install`: iOS gives pushes to apps on the home screen only. */
export type PushAbility = 'able' | 'unsupported' | 'needs_install'

/** The worker of a page that has just been opened may still be on its way; without a line to its push service a browser never answers. */
const PATIENCE_MS = 20_000

export function pushAbility(): PushAbility {
  if ('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis)
    return 'able'
  const { platform, userAgent } = navigator
  const { maxTouchPoints = 0 } = navigator as { maxTouchPoints?: number }
  const ios = /iPhone|iPad|iPod/.test(userAgent) || (platform === 'MacIntel' && maxTouchPoints > 1)
  return ios ? 'needs_install' : 'unsupported'
}

/** What the person has said to the browser. */
export const permission = (): NotificationPermission => Notification.permission

/** Asks the person; only from a tap, and before anything that is waited for: Safari takes it from nothing else. */
export function askPermission(): Promise<NotificationPermission> {
  return (
    Notification as unknown as { requestPermission(): Promise<NotificationPermission> }
  ).requestPermission()
}

export async function findRegistration(): Promise<ServiceWorkerRegistration | null> {
  if (pushAbility() !== 'able') return null
  return (await navigator.serviceWorker.getRegistration('/')) ?? null
}

/** Rejects when it does not come in time. */
async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DOMException(what, 'TimeoutError')), PATIENCE_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The server's public key for which a subscription was made, in base64url. */
export function senderOf({ options }: Pick<PushSubscription, 'options'>): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

export function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

/** The subscription for this sender: the one there is, or a new one. `given` where the registration is known (the worker). */
export async function subscribedTo(
  sender: string,
  given?: ServiceWorkerRegistration,
): Promise<PushSubscription> {
  const { pushManager } = given ?? (await inTime(navigator.serviceWorker.ready, 'no service worker'))
  const found = await pushManager.getSubscription()
  if (found && senderOf(found) === sender) return found
  await found?.unsubscribe()
  return inTime(
    pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(sender) }),
    'no push service',
  )
}

/** What the server needs of a subscription. */
export function partsOf(subscription: PushSubscription): {
  endpoint: string
  keys: { p256dh: string; auth: string }
} {
  const { endpoint, keys } = subscription.toJSON()
  return {
    endpoint: endpoint ?? subscription.endpoint,
    keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
  }
}

const starters = new Set<() => void>()

/** Hears that pushes were turned on during this visit; the returned function ends it. */
export function onTurnedOn(start: () => void): () => void {
  starters.add(start)
  return () => void starters.delete(start)
}
export function turnedOn(): void {
  for (const start of starters) start()
}

/** Takes the subscription off this device, whoever's it is. Gives its endpoint, null when there was none. */
export async function dropSubscription(): Promise<string | null> {
  const registration = await findRegistration()
  const found = await registration?.pushManager.getSubscription()
  await found?.unsubscribe()
  await savePush(null)
  return found?.endpoint ?? null
}

/** What a shown notification carries (sw/push.ts). */
export interface ShownData {
  url: string
  notification_id: string | null
  delivery_id: string | null
  signal_id: string | null
}

const dataOf = ({ data }: Notification) => (data ?? null) as ShownData | null

/** Closes what this device still shows, where `read` says so of it. */
export async function closeShown(read: (shown: ShownData) => boolean): Promise<void> {
  const shown = await (await findRegistration())?.getNotifications()
  for (const one of shown ?? []) {
    const data = dataOf(one)
    if (!data || read(data)) one.close()
  }
}

/** The person leaves this device: no subscription, nothing shown, no number on the icon. */
export async function leavePushes(): Promise<void> {
  if (pushAbility() !== 'able') return
  const found = await (await findRegistration())?.pushManager.getSubscription()
  await Promise.all([found?.unsubscribe(), closeShown(() => true)])
  if ('clearAppBadge' in navigator) await navigator.clearAppBadge()
}
