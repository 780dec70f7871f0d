// The rows of the outbox on the device, without Dexie: page and service worker share this way, and the worker must stay small.
import { OUTBOX_RECEIPT_MS } from '#contract/limits.ts'
import type { OutboxRow } from '#contract/outbox.ts'
import { opened } from '../device/session-db.ts'
import type { Arrived, OutboxChange } from './rows.ts'

/** The rows could not be written or read: nothing may be shown as kept. */
class NotKept extends Error {
  /** For the person. */
  readonly text: string
  constructor(cause: unknown) {
    const full = cause instanceof Error && cause.name === 'QuotaExceededError'
    super('the outbox cannot be written', { cause })
    this.name = 'NotKept'
    this.text = full
      ? '這支裝置的空間滿了，這次沒有存下來，也沒有送出。清出一些空間後再試一次'
      : '這個瀏覽器現在不能存資料（可能是無痕視窗），這次沒有存下來，也沒有送出。連上網路後再試一次'
  }
}

/** What is kept: the rows in their order, and the receipts of the last day. */
export interface Kept {
  rows: OutboxRow[]
  receipts: Arrived[]
}

export interface OutboxStore {
  read(): Promise<Kept>
  /** Reads all rows, lets `decide` say what changes, writes it: one transaction, on the disk when it resolves. Throws `NotKept`. */
  change<T>(decide: (rows: OutboxRow[]) => OutboxChange<T>): Promise<T>
}

const ROWS = 'outbox'
const META = 'meta'
const ANSWERS = 'answers'
const RECEIPT = 'receipt:'
const receipts = () => IDBKeyRange.bound(RECEIPT, `${RECEIPT}\uffff`)

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/**
 * The rows of one person. Opened for each use: iOS loses handles in the background (pwa.md §3.6). `prepare` makes the database
 * where there is none yet (a page; the worker cannot). `now` ms since 1970 by the device.
 */
export function openStore(uid: string, now: () => number, prepare?: () => Promise<void>): OutboxStore {
  let preparing: Promise<void> | null = null
  const within = async <T>(
    mode: IDBTransactionMode,
    names: string[],
    work: (transaction: IDBTransaction) => Promise<T>,
  ): Promise<T> => {
    const db = await opened(uid).catch(async (error: unknown) => {
      if (!prepare) throw error
      // several may find nothing at the same time; a failure is tried again with the next use
      preparing ??= prepare().finally(() => {
        preparing = null
      })
      await preparing
      return opened(uid)
    })
    try {
      // strict: "stored" is said only after the disk has it, also when the power goes (F30)
      const transaction = db.transaction(names, mode, { durability: 'strict' })
      const end = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error ?? new DOMException('aborted', 'AbortError'))
      })
      const working = work(transaction).catch((error: unknown) => {
        // a request that failed has aborted it already; a decision that threw has not
        if (transaction.error === null) transaction.abort()
        throw error
      })
      // its own failure says more than that of a request within
      const [, answer] = await Promise.all([end, working])
      return answer
    } finally {
      db.close()
    }
  }

  const write = <T>(decide: (rows: OutboxRow[]) => OutboxChange<T>) =>
    within('readwrite', [ROWS, META], async (transaction) => {
      const table = transaction.objectStore(ROWS)
      const rows = (await done(table.getAll())) as OutboxRow[]
      const { put = [], remove = [], receipts: sent = [], answer } = decide(rows)
      for (const { key, seq } of rows) if (seq !== undefined && remove.includes(key)) table.delete(seq)
      for (const row of put) table.put(row)
      if (sent.length > 0) {
        const meta = transaction.objectStore(META)
        for (const receipt of sent) meta.put({ key: RECEIPT + receipt.key, ctx: receipt.ctx, value: receipt })
        for (const { value } of (await done(meta.getAll(receipts()))) as { value: Arrived }[])
          if (now() - value.sent_at > OUTBOX_RECEIPT_MS) meta.delete(RECEIPT + value.key)
      }
      return answer
    })

  const written = async <T>(decide: (rows: OutboxRow[]) => OutboxChange<T>): Promise<T> => {
    try {
      try {
        return await write(decide)
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'QuotaExceededError') throw error
        // what can be read again makes room for what cannot
        await within('readwrite', [ANSWERS], async (transaction) => {
          await done(transaction.objectStore(ANSWERS).clear())
        })
        return await write(decide)
      }
    } catch (error) {
      throw new NotKept(error)
    }
  }
  let line: Promise<unknown> = Promise.resolve()

  return {
    read: () =>
      within('readonly', [ROWS, META], async (transaction) => {
        const [rows, metas] = await Promise.all([
          done(transaction.objectStore(ROWS).getAll()) as Promise<OutboxRow[]>,
          done(transaction.objectStore(META).getAll(receipts())) as Promise<{ value: Arrived }[]>,
        ])
        return { rows, receipts: metas.map(({ value }) => value) }
      }),
    change(decide) {
      // in the order asked for: the first one may have to wait until the database is made
      const turn = line.then(() => written(decide))
      line = turn.catch(() => undefined) // the failure belongs to whoever asked
      return turn
    },
  }
}
