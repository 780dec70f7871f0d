// Whether this server writes its mails as files: then nobody is sent anything, and the admin passes the links on.
import { useQuery } from '@tanstack/react-query'
import { channelQueries } from '#data/nouns/notification-setting.ts'
import { MAIL_IN_FOLDER } from '#text/mail.ts'

/** False until it is known. */
export function useInFolder(): boolean {
  const { data: channels } = useQuery(channelQueries.list())
  return channels?.find(({ channel }) => channel === 'email')?.state === 'none'
}

export const IN_FOLDER = `${MAIL_IN_FOLDER}，請把信裡的連結傳給對方。`
