// Runs before the application, inside index.html: asks the server and the device for what the first page shows, beside its code.
// No imports but types: the build puts this file into the page as it is (vite.config.ts).

import type { Ctx } from '#data/context.ts'
import type { DeviceRecord } from '#data/device/db.ts'
import type { Early, EarlyAsked, EarlyRows } from '#data/device/store.ts'
import type { keys } from '#data/keys.ts'

declare global {
  interface Window {
    early?: Early
    /** Stylesheets that index.html asked for together with the glance: each ends when it is there, or does not come. */
    styled?: Promise<unknown>[]
  }
}

const FIRST = 50

/** Newer browsers read backwards in one go (Indexed Database API 3.0). */
type Index = IDBIndex & {
  getAllRecords?: (options: {
    query: IDBKeyRange
    count: number
    direction: IDBCursorDirection
  }) => IDBRequest<{ value: DeviceRecord }[]>
}

/**
 * Rows of `lingbo-<uid>` in one transaction; null when there is no such database. It is never made here. `named` hears of the same
 * rows sooner: when the record of the address is among them, with the names of strategies.
 */
function readDevice(
  uid: string,
  org_id: string | null,
  path: string,
  named: (rows: EarlyRows) => void,
): Promise<EarlyRows | null> {
  const ctx = org_id === null ? 'personal' : (`org:${org_id}` as const)
  const rows: EarlyRows = { ctx, answers: [], first: null, record: null }
  return new Promise((resolve) => {
    const opening = indexedDB.open(`lingbo-${uid}`)
    opening.onupgradeneeded = () => opening.transaction?.abort()
    opening.onerror = () => resolve(null)
    opening.onsuccess = () => {
      const db = opening.result
      db.onversionchange = () => db.close()
      const end = (result: EarlyRows | null) => {
        db.close()
        resolve(result)
      }
      let transaction: IDBTransaction
      try {
        transaction = db.transaction(['answers', 'signals', 'meta'])
      } catch {
        return end(null) // another version's tables
      }
      transaction.oncomplete = () => end(rows)
      transaction.onabort = () => end(null)
      const got = <T>(request: IDBRequest<T>, take: (value: T) => void) => {
        request.onsuccess = () => take(request.result)
      }
      // an organization's copy from before src/data/device/sweep.ts looked through it is shown to nobody
      if (org_id !== null)
        got(transaction.objectStore('meta').get('veiled'), (row) => row ?? transaction.abort())
      const signals = transaction.objectStore('signals')
      const id = new URLSearchParams(location.search).get('signal')
      if (id)
        got(signals.get([ctx, id]), (row) => {
          rows.record = row ?? null
        })
      for (const key of keysOf(ctx, path, id))
        got(transaction.objectStore('answers').get(JSON.stringify(key)), (row) => {
          if (row) rows.answers.push(row)
        })
      // asked after them, so answered after them
      if (id) got(transaction.objectStore('meta').get('cursor'), () => named(rows))
      const newest: EarlyRows['first'] = { records: [], count: 0, feed: null }
      const range = IDBKeyRange.bound([ctx], [ctx, []])
      const index: Index = signals.index('[ctx+occurred_at+seq]')
      got(index.count(range), (count) => {
        newest.count = count
      })
      got(transaction.objectStore('meta').get(`feed:${ctx}`), (row) => {
        newest.feed = row?.value ?? null
      })
      // One step for all where the browser knows it; each of a cursor's steps waits for its turn behind the application's code.
      if (index.getAllRecords)
        got(index.getAllRecords({ query: range, count: FIRST, direction: 'prev' }), (found) => {
          newest.records = found.map(({ value }) => value)
          rows.first = newest
        })
      else
        got(index.openCursor(range, 'prev'), (cursor) => {
          if (cursor) newest.records.push(cursor.value)
          if (cursor && newest.records.length < FIRST) cursor.continue()
          else rows.first = newest
        })
    }
  })
}

type EarlyKey = ReturnType<
  typeof keys.dashboard | typeof keys.strategy.list | typeof keys.strategy.one | typeof keys.signal.one
>

/** The kept answers a page shows: the keys of its queries, as TanStack Query writes them. Their spelling is proved by their types. */
function keysOf(ctx: Ctx, path: string, signal_id: string | null): EarlyKey[] {
  if (path === '/dashboard') return [[ctx, 'dashboard']]
  const strategy_id = /^\/strategies\/([^/]{36})(\/edit)?$/.exec(path)?.[1]
  if (strategy_id) return [[ctx, 'strategy', 'one', strategy_id]]
  if (path !== '/signals') return []
  const lists = [{ page_size: 100 }, { page_size: 100, status: 'archived' }]
  return [
    ...lists.map((filters): EarlyKey => [ctx, 'strategy', 'list', filters]),
    ...(signal_id ? [[ctx, 'signal', 'one', signal_id] as const] : []),
  ]
}

/**
 * What the page asks the server first, exactly as its queries will; a device that has records asks for their news instead of all, and
 * folds a strategy's figures itself.
 */
function pathsOf(path: string, search: string, known: boolean, org_id: string | null): string[] {
  const [, noun = '', one = '', more = ''] = path.split('/')
  const given = new URLSearchParams(search)
  const tab = given.get('tab') ?? ''
  if (path === '/dashboard') return ['/dashboard']
  const strategies = '/strategies?page_size=100'
  const signal = given.get('signal')
  if (path === '/signals' && known) return [strategies]
  // an opened record comes before the list under it
  if (path === '/signals')
    return [...(signal ? [`/signals/${signal}`] : []), '/signals?latest=true&limit=200', strategies]
  if (path === '/strategies') return [strategies]
  if (noun === 'strategies' && one.length === 36) {
    const asked = [`/strategies/${one}`]
    const figures = tab === '' ? !given.has('signal') : /^(overview|trades|positions|stocks)$/.test(tab)
    if (more === '' && figures && !known) asked.push(`/strategies/${one}/statistics`, '/market/calendar')
    return asked
  }
  if (path === '/signal-notification' && tab === '') return ['/signal-notifications?about=attention']
  if (path === '/my-organizations') return ['/user/organizations', '/user/invites', '/user/join-requests']
  if ((path === '/organizations/info' || path === '/organizations/manage') && org_id !== null)
    return [`/organizations/${org_id}`]
  return []
}

function begin(): Early | undefined {
  const { token, lingbo_user, currentOrganizationId, lingbo_profile } = localStorage as Record<
    string,
    string | undefined
  >
  const path = location.pathname
  if (!token || !lingbo_user || path === '/' || path === '/login') return undefined
  const uid = JSON.parse(lingbo_user).id
  const org_id = currentOrganizationId ?? null
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    ...(org_id !== null && { 'lb-org-id': org_id }),
    // no stream was heard on this device yet: it begins where these answers stood (src/data/live/run.ts)
    ...(!lingbo_profile && { 'lb-cursor': '1' }),
  }
  const asked = navigator.onLine
    ? ['/user/profile', ...pathsOf(path, location.search, lingbo_profile !== undefined, org_id)].map(
        (one): EarlyAsked => {
          const address = `/api/v1${one}`
          const answer = fetch(address, { headers, cache: 'no-store', credentials: 'omit' })
          answer.catch(() => undefined) // the client asks again; nobody may ever want this one
          return { path: address, token, org_id, asked_at: Date.now(), answer }
        },
      )
    : []
  let rows: Early['rows'] = Promise.resolve(null)
  const named = new Promise<EarlyRows>((done) => {
    // some browsers throw where others tell of an error, and some have no IndexedDB
    if (lingbo_profile) rows = readDevice(uid, org_id, path, done).catch(() => null)
  })
  return { uid, asked, rows, named: Promise.race([named, rows]) }
}

try {
  const early = begin()
  if (early) window.early = early
} catch {
  // storage is blocked or damaged: the application finds out by itself and says so
}
