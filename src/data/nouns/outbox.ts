// What is asked about the outbox beyond what a screen holds at once.
import { queryOptions } from '@tanstack/react-query'
import { getData } from '../current.ts'
import { keys } from '../keys.ts'

export const outboxQueries = {
  /** How many calls of other people wait on this device. */
  ofOthers: () =>
    queryOptions({
      queryKey: keys.person.outbox_of_others,
      queryFn: async () => (await getData().outbox.open()).foreign(),
      meta: { keep: false },
    }),
}
