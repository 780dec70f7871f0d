// Signing out: everything leaves this device, then the landing page (spec §4, §2). What still waits to be sent is asked about first.
import { proxy } from 'valtio'
import { getData } from '#data/current.ts'
import { SIGNED_OUT } from '#text/spec.ts'
import { toast } from './toast.ts'

/** The question 送出 / 保留 / 捨棄 stands on the screen. */
export const leaving = proxy({ asking: false })

/** Never rejects; with calls waiting it asks and leaves the rest to the question. The way to / is `on_signed_out` of start.ts, which also serves the other tabs. */
export async function signOut(): Promise<void> {
  if (getData().outbox.getSnapshot().rows.length > 0) leaving.asking = true
  else await leave()
}

/** Signs out without a question. Never rejects; what still waits stays on the device for its owner. */
export async function leave(): Promise<void> {
  leaving.asking = false
  await getData().signOut()
  toast({ title: SIGNED_OUT, icon: 'check' })
}
