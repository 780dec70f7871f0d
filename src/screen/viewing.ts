// 以成員身分檢視: begins at a member's menu, ends by the key of its banner, by another identity, or by a reload.
import { subscribe } from 'valtio'
import type { Member } from '#contract/membership.ts'
import { type Data, getData, setData } from '#data/current.ts'
import { viewing } from '#state/app.ts'
import { auth } from '#state/session.ts'
import { patiently } from './after-paint.ts'
import { failureSentence } from './failure.ts'
import { switching } from './switch.ts'
import { toast } from './toast.ts'

/** Where one stood, and what ends it. */
let current: { end(): void } | null = null

/** Shows the application as the member sees it; `open` goes to a page. */
export async function viewAs(member: Member, open: (href: string) => void): Promise<void> {
  const own = getData()
  const { uid, org_id } = auth
  if (current || org_id === null || own.ctx() !== `org:${org_id}`) return
  try {
    const { createView } = await patiently(() => import('#data/view.ts'))
    // somebody may have switched meanwhile
    if (current || getData() !== own || auth.org_id !== org_id) return
    const view: Data = createView(
      own,
      { organization_id: org_id, member },
      {
        base_url: '',
        online: () => navigator.onLine,
        now: Date.now,
        end: endView,
        report: (error, where) => console.warn(where, error),
      },
    )
    const stopFollowing = subscribe(
      auth,
      () => {
        if (auth.uid !== uid || auth.org_id !== org_id) endView()
      },
      true,
    )
    current = {
      end() {
        stopFollowing()
        setData(own)
        viewing.member = null
        view.stop()
      },
    }
    switching.to = '/dashboard'
    setData(view)
    viewing.member = { id: member.user_id, name: member.name }
    open('/dashboard')
  } catch (error) {
    toast({ title: '沒有切換到成員的畫面', description: failureSentence(error, ''), variant: 'destructive' })
  }
}

/** The person's own again. */
export function endView(): void {
  const own = current
  current = null
  own?.end()
}

/** 結束檢視: back to the members. */
export function leaveView(open: (href: string) => void): void {
  const href = '/organizations/manage?tab=members'
  switching.to = href
  endView()
  open(href)
}
