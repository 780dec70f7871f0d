// Rows of signing in for others and by others (migration 004): the provider's things, identities elsewhere, one-time tickets.

/** What the OpenID provider keeps: ids only as SHA-256, the payload sealed, so that a stolen copy opens nothing. */
export interface OidcRow {
  model: string
  id_hash: string
  /** The grant under which it was issued; a Grant row carries its own id here. */
  grant_hash: string | null
  uid_hash: string | null
  account: string | null
  client_id: string | null
  payload: string
  created_at: string
  expires_at: string
  consumed_at: string | null
}
/** A person at another provider. `confirmed`: the provider had verified the address, or the account's password was given. */
export interface IdentityRow {
  provider: string
  subject: string
  uid: string
  confirmed: number
  created_at: string
  last_used_at: string
}
/** A one-time ticket; `sid` is the session its first use opened. */
export interface TicketRow {
  id_hash: string
  kind: 'sso' | 'link' | 'mail' | 'telegram'
  uid: string
  provider: string | null
  subject: string | null
  /** SHA-256 of the cookie of the browser it was made for; null = any browser. */
  binding_hash: string | null
  created_at: string
  expires_at: string
  used_at: string | null
  sid: string | null
  /** The chat that asked for it. */
  receiver_id: string | null
}
