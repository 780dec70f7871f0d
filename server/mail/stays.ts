// Where mails end on this server: sent, fetched by another program, or left as files.
import type { Config } from '../config.ts'

/** True when mails are written as files and nobody fetches them: whoever is told of a mail must be told where it lies. */
export function mailStays({ smtp_url, mail_pickup }: Pick<Config, 'smtp_url' | 'mail_pickup'>): boolean {
  return smtp_url === null && !mail_pickup
}
