// Bodies of megabytes: of one account so many are read at a time; the others wait unread in their sockets, where they take no memory.
import type { Endpoint } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { fewAtOnce } from '../few-at-once.ts'

const AT_ONCE = 3
/** A note's pictures come ten together, from more than one device. */
const WAITING_MOST = 30

const accounts = new Map<string, { inTurn: ReturnType<typeof fewAtOnce>; count: number }>()

export const isUpload = ({ body }: Pick<Endpoint, 'body'>) => body === 'image' || body === 'file'

/** Reads it when it is the account's turn; ApiError 4290 when too many wait. */
export async function readUpload<T>(account: string, read: () => Promise<T>): Promise<T> {
  const own = accounts.get(account) ?? { inTurn: newTurns(), count: 0 }
  accounts.set(account, own)
  own.count++
  try {
    return await own.inTurn(read)
  } finally {
    own.count--
    if (own.count === 0) accounts.delete(account)
  }
}

function newTurns() {
  return fewAtOnce({
    at_once: AT_ONCE,
    waiting_most: WAITING_MOST,
    refused: () => new ApiError(4290, { retry_after_s: 5, text: '同時上傳的檔案太多，請 5 秒後再試' }),
  })
}
