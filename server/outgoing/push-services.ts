// The push services of the browsers: an address of theirs is taken as it is, any other has to pass the check of all addresses.

const SERVICES = ['fcm.googleapis.com', 'jmt17.google.com', 'android.googleapis.com']
/** All hosts below these. */
const DOMAINS = ['push.services.mozilla.com', 'push.apple.com', 'notify.windows.com']

/** Whether an endpoint belongs to one of them: https, at the usual port, the host to the letter (threat T22). */
export function isPushService(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, port, username, password } = new URL(endpoint)
  if (protocol !== 'https:' || port !== '' || username !== '' || password !== '') return false
  return SERVICES.includes(hostname) || DOMAINS.some((domain) => hostname.endsWith(`.${domain}`))
}
