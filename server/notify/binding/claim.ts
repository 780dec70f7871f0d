// The chat that came with a code and waits for the person's yes: nothing is sent there and nothing answered before (threat T23).
import type { ChannelId } from '#contract/channels.ts'
import { BIND_LIFE_S } from '#contract/limits.ts'
import type { App, Tx } from '../../context.ts'
import type { BindingCodeRow } from '../../db/schema-notify.ts'
import { newId } from '../../ids.ts'

/** A chat as its channel knows it. */
export interface Chat {
  readonly channel: ChannelId
  /** Where messages go, and what makes two chats the same. */
  readonly address: string
  readonly name: string | null
  readonly config: Readonly<Record<string, unknown>>
}

export interface Claim {
  /** Of this claim alone: a yes to one chat is never a yes to another. */
  readonly id: string
  readonly chat: Chat
  /** Whose the chat was when its owner gave it away. */
  readonly of: string | null
}

export function claimIn({ keys }: Pick<App, 'keys'>, { claim }: BindingCodeRow): Claim | null {
  return claim === null ? null : (JSON.parse(keys.unseal(claim)) as Claim)
}

/** From now on the chat waits, as long as the link would have; false when somebody else was faster. */
export async function keepClaim(
  { keys }: Pick<App, 'keys'>,
  tx: Tx,
  { code_hash }: BindingCodeRow,
  chat: Chat,
  of: string | null,
): Promise<boolean> {
  const claim: Claim = { id: newId(), chat, of }
  const row = await tx.db
    .updateTable('binding_codes')
    .set({
      claim: keys.seal(JSON.stringify(claim)),
      expires_at: new Date(Date.parse(tx.at) + BIND_LIFE_S * 1_000).toISOString(),
      reason: null,
    })
    .where('code_hash', '=', code_hash)
    .where('used_at', 'is', null)
    .where('claim', 'is', null)
    .returning('uid')
    .executeTakeFirst()
  return row !== undefined
}
