// Bodies of megabytes: of one account so many are read at a time; the others wait unread in their sockets, where they take no memory.
import type { Endpoint } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { fewOfEach } from '../few-at-once.ts'

export const isUpload = ({ body }: Pick<Endpoint, 'body'>) => body === 'image' || body === 'file'

/** Reads a body when it is the account's turn. A note's pictures come ten together, from more than one device. */
export const readUpload = fewOfEach({
  at_once: 3,
  waiting_most: 30,
  refused: () => new ApiError(4290, { retry_after_s: 5, text: '同時上傳的檔案太多，請 5 秒後再試' }),
})
