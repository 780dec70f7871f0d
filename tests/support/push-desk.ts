// A desk whose server may call a push service of the test, and that service.
import { openOutgoing } from '#server/outgoing.ts'
import { makeCertificate } from './certificate.ts'
import { type Desk, openDesk } from './desk.ts'
import { type PushService, startPushService } from './push-service.ts'
import type { StartOptions } from './server.ts'

const certificate = makeCertificate(['127.0.0.1'])

/** Close `desk.server`, then `service`. */
export async function openPushDesk(
  options: Pick<StartOptions, 'engine' | 'env'> = {},
): Promise<{ desk: Desk; service: PushService }> {
  const service = await startPushService({ certificate })
  const outgoing = openOutgoing({ outgoing_allow: ['127.0.0.0/8'], ca: certificate.cert })
  return { desk: await openDesk({ ...options, overrides: { outgoing } }), service }
}
