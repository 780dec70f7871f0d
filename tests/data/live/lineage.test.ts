// The server lives in another past of its database than the one this device read: what is not there goes, what is there is shown,
// of the account's own records as of an organization's.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SignalRecord } from '#contract/signal.ts'
import { openDatabase } from '#data/device/db.ts'
import { record } from '../support/backend.ts'
import { until } from '../support/device.ts'
import { asked, backend, heardUpTo, ORG, online, open, plugIn, type Tab, unplug } from '../support/tab.ts'

beforeEach(plugIn)
afterEach(unplug)

const many = (from: number, to: number, change: (n: number) => Partial<SignalRecord> = () => ({})) =>
  Array.from({ length: to - from + 1 }, (_none, i) => record(from + i, change(from + i)))
const idsOf = (records: readonly SignalRecord[]) => records.map(({ id }) => id).toSorted()
const shown = ({ data }: Tab) => idsOf(data.signals.getSnapshot().items)

/** Twelve were read; of them eight still are, and under the numbers of two that are gone stand others. */
const READ = many(1, 12)
const KEPT = READ.slice(0, 8)
const OTHERS = many(109, 110, (n) => ({ seq: n - 100, chain_seq: n - 100 }))
const NOW = [...KEPT, ...OTHERS]

describe.each([
  ['the account', 'p:u1', 'personal', null],
  ['an organization', `o:${ORG}`, `org:${ORG}`, ORG],
] as const)('of %s', (_whose, scope, ctx, org) => {
  beforeEach(() => backend.members(ORG))
  const onDevice = async () => {
    const db = await openDatabase('u1')
    const found = await db.signals.where('[ctx+id]').between([ctx], [ctx, []]).toArray()
    const feed = await db.meta.get(`feed:${ctx}`)
    db.close()
    return { ids: idsOf(found), after: (feed?.value as { after: number } | undefined)?.after }
  }
  const enter = (tab: Tab) => {
    if (tab.data.ctx() !== ctx) tab.data.switchContext(org)
  }
  /** A device that has read everything, its stream heard; switched off again unless it `stays`. */
  async function wasHere(stays = false): Promise<Tab> {
    backend.store(scope, ...READ)
    const tab = open('u1')
    enter(tab)
    await online(tab)
    await heardUpTo()
    await until(async () => (await onDevice()).after === 12 && (await onDevice()).ids.length === 12)
    if (!stays) {
      tab.data.stop()
      await until(() => backend.streams.size === 0)
    }
    return tab
  }
  async function showsNow(tab: Tab): Promise<void> {
    await until(() => String(shown(tab)) === String(idsOf(NOW)))
    await until(async () => String((await onDevice()).ids) === String(idsOf(NOW)))
    expect(tab.data.signals.getSnapshot()).toMatchObject({ total_known: 10, complete: true, error: null })
    // From here on it follows this past: one more is one question more, from where it stands now.
    backend.store(scope, record(111, { seq: 11, chain_seq: 11 }))
    const before = asked('/signals').length
    await tab.data.refresh()
    expect(tab.data.signals.getSnapshot().items).toHaveLength(11)
    expect(
      asked('/signals')
        .slice(before)
        .map(({ query }) => query.get('after')),
    ).toEqual(['10'])
  }

  test('started again, its place is of another epoch', async () => {
    await wasHere()
    backend.restore('another past')
    backend.store(scope, ...NOW)
    const again = open()
    enter(again)
    await showsNow(again)
  })

  test('started again, its place is beyond the head, though the epoch is the one it knows', async () => {
    await wasHere()
    backend.rewind(scope)
    backend.store(scope, ...NOW)
    const again = open()
    enter(again)
    await showsNow(again)
  })

  test('while it runs: the stream comes back and says so', async () => {
    const tab = await wasHere(true)
    backend.cut()
    backend.rewind(scope)
    backend.store(scope, ...NOW)
    // Its cursor is of another past: the first thing it hears.
    backend.tell(scope, 'reset', { scope })
    await showsNow(tab)
  })

  test('while something else is on the screen: nothing of it is shown as true when it is entered', async () => {
    const tab = await wasHere(true)
    tab.data.switchContext(org === null ? ORG : null)
    await online(tab)
    backend.rewind(scope)
    backend.store(scope, ...NOW)
    backend.tell(scope, 'reset', { scope })
    await until(async () => (await onDevice()).after === undefined)
    tab.data.switchContext(org)
    await showsNow(tab)
  })

  test('nothing is there any more: the list is empty, and says that it is all', async () => {
    await wasHere()
    backend.restore('another past')
    const again = open()
    enter(again)
    await until(async () => (await onDevice()).ids.length === 0 && shown(again).length === 0)
    expect(again.data.signals.getSnapshot()).toMatchObject({ total_known: 0, complete: true, error: null })
  })
})
