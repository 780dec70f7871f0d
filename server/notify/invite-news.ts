// An invitation to an address that belongs to an account: its person is told, beside the letter. Planned with the next sweep and never at
// once: whoever invites must not read from what their next call takes that there is an account (threat T16).
import type { Scope } from '#contract/events.ts'
import { INVITE_LIFE_S } from '#contract/limits.ts'
import { ROLE_NAMES } from '#contract/permissions.ts'
import { dayWords, taipei } from '#trading/calendar.ts'
import type { Db, InviteRow } from '../db/schema.ts'
import type { NotificationRow } from '../db/schema-notify.ts'
import { isOpen } from '../invitation/state.ts'
import type { News } from './enqueue.ts'

/** Nothing where it was answered or taken back before it could be told, or the address is another one's by now. */
export async function newsOfInvite(db: Db, scope: Scope, id: string, at: string): Promise<News[]> {
  const uid = scope.slice(2)
  const row = await db
    .selectFrom('invites')
    .innerJoin('organizations', 'organizations.id', 'invites.organization_id')
    .innerJoin('users as invited', 'invited.email', 'invites.email')
    .innerJoin('users as inviting', 'inviting.id', 'invites.invited_by')
    .select(['invites.id', 'role', 'sent_at', 'valid_until'])
    .select(['organizations.name as organization', 'inviting.name as invited_by'])
    .where('invites.id', '=', id)
    .where('invited.id', '=', uid)
    .where('invited.email_verified', '=', 1)
    .where('organizations.name', '!=', '')
    .where((eb) => isOpen(eb, at))
    .executeTakeFirst()
  if (!row || (await wasTold(db, uid, row))) return []
  const until = dayWords(taipei(row.valid_until).date)
  return [
    {
      ...{
        uid,
        key: `${INVITE}${id} ${row.sent_at}`,
        bell: null,
        signal_id: null,
        silent: false,
        posted: true,
      },
      matter: { kind: 'organization', moves: null, strategy_id: null },
      // What an organization says to somebody outside is the person's own.
      organization_id: null,
      title: `「${row.organization}」邀請你加入`,
      body: `${row.invited_by} 邀請你成為${ROLE_NAMES[row.role]}，${until} 前可以回覆`,
      link: `/my-organizations?invitation=${id}`,
    },
  ]
}
const INVITE = 'invite '

/**
 * Sent again it is another letter and no second notice, as long as the day that the first one names has not passed: whoever saw it
 * need not be rung each minute, and one invitation is one entry. What had run out and is valid anew is told anew.
 */
async function wasTold(
  db: Db,
  uid: string,
  { id, sent_at }: Pick<InviteRow, 'id' | 'sent_at'>,
): Promise<boolean> {
  const told = await db
    .selectFrom('notifications')
    .select('key')
    .where('uid', '=', uid)
    .where('key', 'like', `${INVITE}${id} %`)
    .execute()
  return told.some(({ key }) => {
    const before = Date.parse(key.slice(`${INVITE}${id} `.length))
    return before + INVITE_LIFE_S * 1_000 > Date.parse(sent_at)
  })
}

/** Whether an invitation that these notifications tell of can be answered no more. */
export async function overInvites(
  db: Db,
  notifications: readonly Pick<NotificationRow, 'kind' | 'key'>[],
  at: string,
): Promise<(one: Pick<NotificationRow, 'kind' | 'key'>) => boolean> {
  const ids = [...new Set(notifications.flatMap((one) => inviteOf(one) ?? []))]
  if (ids.length === 0) return () => false
  const rows = await db
    .selectFrom('invites')
    .select('id')
    .where('id', 'in', ids)
    .where((eb) => isOpen(eb, at))
    .execute()
  const open = new Set(rows.map(({ id }) => id))
  return (one) => {
    const id = inviteOf(one)
    return id !== null && !open.has(id)
  }
}

function inviteOf({ kind, key }: Pick<NotificationRow, 'kind' | 'key'>): string | null {
  return kind === 'organization' && key.startsWith(INVITE) ? (key.split(' ')[1] ?? null) : null
}
