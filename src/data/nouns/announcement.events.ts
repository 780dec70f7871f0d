// Something was announced, changed or taken back; or the person has read it on another device.
import type { AnnouncementHead } from '#contract/announcement.ts'
import { isAnnouncementList, keys } from '../keys.ts'
import type { Heard } from '../live/run.ts'
import { forgetTold } from '../query.ts'

interface Page {
  items: AnnouncementHead[]
  unread_count: number
}

export const announcementEvents: Heard<'announcement'> = ({ query, memory, ask }) => ({
  announcement(ctx, { id, change }) {
    ask(keys.dashboard(memory.current()))
    if (change === 'read') {
      const read_at = new Date().toISOString()
      query.setQueriesData<Page>(
        { predicate: ({ queryKey }) => isAnnouncementList(queryKey) },
        (page) =>
          page && {
            ...page,
            unread_count: Math.max(
              0,
              page.unread_count - page.items.filter((one) => one.id === id && one.read_at === null).length,
            ),
            items: page.items.map((one) =>
              one.id === id && one.read_at === null ? { ...one, read_at } : one,
            ),
          },
      )
      return
    }
    ask(ctx === 'personal' ? keys.person.platform : keys.announcement.all(ctx))
    if (change !== 'deleted') return
    forgetTold(query, ({ announcement_id }) => announcement_id === id)
    ask(keys.person.notifications)
  },
})
