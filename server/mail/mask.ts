// An address as somebody may see it who need not be its owner.

/** The address as whoever holds the link may see it: enough to recognise, too little to learn. */
export function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@')
  return `${local.slice(0, local.length > 3 ? 2 : 1)}***@${domain}`
}
