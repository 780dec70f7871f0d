// Whether this server sends no mail: then an admin passes the links on.

import { useQuery } from '@tanstack/react-query'
import { connectedBy } from '#contract/channels.ts'
import { channelQueries } from '#data/nouns/notification-setting.ts'

/** False until it is known. */
export function useInFolder(): boolean {
  const { data: channels } = useQuery(channelQueries.list())
  return channels?.find(({ channel }) => connectedBy(channel) === 'mailbox')?.state === 'none'
}

export const HAND_OVER = '這裡還不能寄信，請複製連結傳給對方。'
