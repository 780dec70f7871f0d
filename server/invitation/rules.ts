// Who may answer an invitation, and what may stand in one.
import type { Selectable } from 'kysely'
import { ApiError } from '#contract/errors.ts'
import type { Actor, Tx } from '../context.ts'
import type { Db, InviteRow } from '../db/schema.ts'
import { hashToken } from '../secrets.ts'
import { stateAt } from './state.ts'

/** A stored invitation. */
export type StoredInvite = Selectable<InviteRow>

const GONE: Record<string, string> = {
  accepted: '這份邀請已經接受過了',
  declined: '這份邀請已經婉拒了，需要時請管理者再邀請一次',
  expired: '這份邀請已過期，請管理者再邀請一次',
  cancelled: '這份邀請已撤回，請向管理者確認',
}

/** The invitation behind a code; 4040 when there is none. */
export async function findByCode(db: Db, code: string): Promise<StoredInvite> {
  const row = await db
    .selectFrom('invites')
    .selectAll()
    .where('code_hash', '=', hashToken(code))
    .executeTakeFirst()
  if (!row) throw new ApiError(4040, { text: '找不到這份邀請，請確認連結是否完整' })
  return row
}

/** An invitation of an organization; 4040 when there is none. */
export async function findInvite(db: Db, organization_id: string, id: string): Promise<StoredInvite> {
  const row = await db
    .selectFrom('invites')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organization_id)
    .executeTakeFirst()
  if (!row) throw new ApiError(4040)
  return row
}

/** True when this code was mailed to this address and can still be answered: whoever has it reads that mailbox (ruling C44). */
export async function provesMailbox(
  tx: Pick<Tx, 'db' | 'at'>,
  code: string | undefined,
  email: string,
): Promise<boolean> {
  if (code === undefined) return false
  const row = await tx.db
    .selectFrom('invites')
    .selectAll()
    .where('code_hash', '=', hashToken(code))
    .executeTakeFirst()
  return row !== undefined && row.email === email && stateAt(row, tx.at) === 'pending'
}

/** Only the invited address answers (4033). The code was mailed to it and told nobody else, so whoever has it reads that mailbox (ruling C44). */
export function requireAddressee(actor: Pick<Actor, 'email'>, row: StoredInvite): void {
  if (actor.email !== row.email) throw new ApiError(4033)
}

/** 4100 with the reason when the invitation, read under the organization's lock, can no longer be answered. */
export function requireOpen(row: StoredInvite, at: string): void {
  const state = stateAt(row, at)
  if (state !== 'pending') throw new ApiError(4100, { msg: `invitation ${state}`, text: GONE[state] ?? '' })
}
