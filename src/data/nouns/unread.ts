// How much asks for the person, counted in one place: badges and the application's icon are told.
import { InfiniteQueryObserver, type QueryClient } from '@tanstack/react-query'
import type { OutboxDoor } from '../outbox/door.ts'
import { layInbox, notificationQueries } from './notification.ts'

/** Keeps the inbox on the device, and counts; `tell` hears every change. The returned function ends it. */
export function countUnread(
  query: QueryClient,
  outbox: Pick<OutboxDoor, 'getSnapshot' | 'subscribe'>,
  tell: (count: number) => void,
): () => void {
  const observer = new InfiniteQueryObserver(query, notificationQueries.inbox())
  let told = 0
  const look = () => {
    const { data, dataUpdatedAt } = observer.getCurrentResult()
    const count = data ? layInbox(data, outbox.getSnapshot(), dataUpdatedAt).attention_count : 0
    if (count === told) return
    told = count
    tell(told)
  }
  const stops = [observer.subscribe(look), outbox.subscribe(look)]
  look()
  return () => {
    for (const stop of stops) stop()
    tell(0)
  }
}
