// A call as the access matrix tries it, and what calls can name.
import type { TargetKind } from './oracle.ts'

/** The things of one side that calls can name. */
export interface Things {
  strategy_id: string
  strategy_name: string
  /** A strategy of stocks, of XQ; the other one is of futures. */
  stock_id?: string
  webhook_id: string
  delivery_id: string
  /** Of a message that waits. */
  format_id: string
  signal_id: string
  /** Of a picture in the strategy's note. */
  image_id: string
  session_id: string
  /** Of a delivery to the person that failed, and of a device that gets pushes. */
  notice_id?: string
  receiver_id?: string
  /** Of an application's access. */
  grant_id?: string
  email: string
  /** The organization of whoever calls, in place of the side's. */
  home_id?: string
  /** Of organizations; a side without them names what never was. */
  organization_id?: string
  member_id?: string
  group_id?: string
  group_member_id?: string
  invite_id?: string
  link_id?: string
  /** Of somebody who asks to join it. */
  join_request_id?: string
  announcement_id?: string
  /** Of an invitation to the side's person. */
  invite_code?: string
  /** Of a link, and of an organization, that let everybody ask. */
  link_code?: string
  join_code?: string
  /** Of the side's person, who asks to join somewhere. */
  my_request_id?: string
}
export interface Trial {
  /** Which of the side's things the call names, and so what decides whether it may. */
  names: TargetKind | 'nothing'
  /** Whoever may is answered with success, not only not refused for want of rights. */
  succeeds?: true
  input(things: Things): Record<string, unknown>
}
