// What is being entered, what it would do, and how it is sent: one state for the sheet.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import type { OutboxRow } from '#contract/outbox.ts'
import type { PositionGap, Strategy } from '#contract/strategy.ts'
import { newKey } from '#data/client.ts'
import { foldTerms, foreseen, foreseenAll, metBy, readingOf } from '#data/nouns/foreseen.ts'
import { entryOf, manualMutations } from '#data/nouns/manual.ts'
import { marketQueries, tablesQueries } from '#data/nouns/market.ts'
import { waitingSignals } from '#data/nouns/waiting.ts'
import { useCtx, useData, useTables } from '#screen/data.tsx'
import { useOutbox } from '#screen/outbox.ts'
import { preferences } from '#state/preferences.ts'
import { instantOf, taipeiDay } from '#trading/calendar.ts'
import { keyOf, type OpenKey, positionOf } from '#trading/fold/state.ts'
import type { LimitFacts } from '#trading/foresee.ts'
import { assetOf, unitOf } from '#trading/kinds.ts'
import { MANUAL_FRESH_MS, type ManualEntry, type ManualFaults, readManual } from '#trading/manual.ts'
import type { Asset } from '#trading/record.ts'
import {
  actionKeys,
  contractsOf,
  type EntryDraft,
  missingDraft,
  missingKeys,
  openBefore,
  ownContract,
  withAsked,
} from './actions.ts'

const NO_DAYS: readonly string[] = []

/** `refused`: a waiting entry that was not taken, to be corrected and sent anew in its place; `gap`: what was missed before that signal. */
export function useEntry(
  strategy: Strategy,
  refused: OutboxRow | null,
  gap: PositionGap | null,
  onSent: (queued: boolean, chain_seq: number | null) => void,
) {
  const ctx = useCtx()
  const data = useData()
  const asset = assetOf(strategy)
  const { data: calendar } = useQuery(marketQueries.calendar())
  const terms = foldTerms(strategy, calendar?.closed_days ?? NO_DAYS, useTables())
  const outbox = useOutbox()
  const now = new Date(data.now()).toISOString()
  const [first] = strategy.positions
  const own = 'product_code' in strategy.settings ? strategy.settings.product_code : ''
  const listed = 'symbols' in strategy.settings ? strategy.settings.symbols : []
  const reference = (symbol: string) =>
    strategy.positions.find((one) => one.symbol === symbol)?.ref_price ??
    (strategy.last_signal?.symbol === symbol ? strategy.last_signal.derived.price_used : null)
  const [draft, setDraft] = useState<EntryDraft>(() => {
    const symbol = own || (first?.symbol ?? listed[0] ?? '')
    return {
      symbol,
      contract: ownContract(strategy),
      action: null,
      quantity: String(strategy.default_quantity),
      unit: unitOf(strategy),
      price: String(reference(symbol) ?? ''),
      at: '',
      note: '',
      notify: null,
      ...(gap && missingDraft(gap, strategy)),
      ...(refused && draftOf(refused)),
    }
  })
  // what was refused says at once what is wrong with it
  const [asked, setAsked] = useState(refused !== null)
  // Made once: pressing again after an answer that never came is the same signal, and so is a corrected one, in two tabs, too.
  const [id] = useState(() => idOf(refused) ?? newKey(data.now()))
  const change = (more: Partial<EntryDraft>) => setDraft((before) => ({ ...before, ...more }))

  const send = useMutation(manualMutations.send())
  // what is on its way stands on this device already: the sheet goes on saying what was pressed, not what would come after it
  const met = useRef<OpenKey[]>(null)
  const open = (send.isPending || send.isSuccess) && met.current ? met.current : openFor()
  met.current = open
  // under 指定月份 each month is a position of its own
  const held = open.find(({ key }) => key === keyOf(draft, terms))
  const position = positionOf(held)
  const own_keys = gap ? missingKeys(gap.held) : actionKeys(position, strategy)
  const keys = refused ? withAsked(own_keys, entryOf(refused).action) : own_keys
  const key = keys.find(({ action }) => action === draft.action) ?? keys[0]
  function entryFor(action: ManualEntry['action'], whole = false): ManualEntry {
    return {
      action,
      symbol: draft.symbol,
      price: Number(draft.price),
      quantity: whole ? null : Number(draft.quantity),
      unit: draft.unit,
      contract: draft.contract,
      occurred_at: draft.at === '' ? now : instantFor(draft.at, refused),
    }
  }
  /** What it meets: before a report, at an earlier moment, or now. */
  function openFor() {
    if (gap) return openBefore(gap, terms)
    const waiting = waitingSignals(outbox, ctx, strategy.id)
    const known = { terms, now, records: data.signals.ofStrategy(strategy.id) }
    return draft.at === ''
      ? foreseenAll(strategy, waiting, known).open
      : metBy(entryFor('buy'), strategy, waiting, known)
  }
  const around = { terms, open, now }
  const priced = Number(draft.price) > 0
  /** Where the position goes needs no price; what it brings does. */
  const after = (action: ManualEntry['action'], whole?: boolean) => {
    const typed = entryFor(action, whole)
    const then = foreseen(priced ? typed : { ...typed, price: 1 }, strategy, around)
    if (!then || priced) return then
    const { flags } = then.derived
    return {
      ...then,
      derived: {
        ...{ ...then.derived, realised_pnl: null, fee: null, tax: null },
        flags: flags.filter((flag) => flag !== 'off_tick'),
      },
    }
  }
  const entry = key && entryFor(key.action, key.whole)
  const read = entry ? readManual(entry, readingOf(strategy), around) : null
  const faults: ManualFaults = read && 'faults' in read ? read.faults : {}

  const told =
    send.error instanceof ApiError ? (send.error.details.fields ?? {}) : ({} as Record<string, string>)
  const submit = (label: string) => {
    setAsked(true)
    if (!entry || Object.keys(faults).length > 0) return
    // the moment of the press, not of the last drawing
    const occurred_at = draft.at === '' ? new Date(data.now()).toISOString() : entry.occurred_at
    send.mutate(
      {
        asset,
        strategy_id: strategy.id,
        id,
        entry: { ...entry, occurred_at },
        note: draft.note.trim(),
        notify: draft.notify,
        label,
        instead: refused?.key ?? null,
        lasts_ms: preferences.signal_lasts_ms,
      },
      {
        onSuccess: (sent) => onSent(sent.queued, sent.queued ? null : sent.result.chain_seq),
      },
    )
  }
  return {
    asset,
    draft,
    change,
    held: held ?? null,
    position,
    keys,
    key,
    after,
    next: key ? after(key.action, key.whole) : null,
    notify: draft.notify ?? isFresh(draft.at, now),
    faults: asked ? { ...faults, ...told } : told,
    error: send.error,
    busy: send.isPending,
    submit,
    reference: reference(draft.symbol),
    listed,
    contracts: contractsOf(strategy, open, taipeiDay(now), terms.closed_days),
    terms,
    now,
  }
}

/** Of the record that a refused one was to become; none where that id became another record. */
const idOf = (refused: OutboxRow | null) =>
  refused && refused.last_code !== 4091 && typeof refused.body['id'] === 'string' ? refused.body['id'] : null

/** To the minute, but for the moment of a refused one, which stands before those that wait behind it. */
function instantFor(at: string, refused: OutboxRow | null): string {
  const before = refused && entryOf(refused).occurred_at
  return before && localMinute(before) === at ? before : instantOf(at.slice(0, 10), at.slice(11))
}

/** What was entered before, as the sheet holds it. */
function draftOf(row: OutboxRow): Partial<EntryDraft> {
  const { action, symbol, contract, quantity, price, unit, occurred_at } = entryOf(row)
  const { note, notify } = row.body
  return {
    action,
    symbol,
    price: String(price),
    at: localMinute(occurred_at),
    ...(contract && { contract }),
    ...(quantity !== null && { quantity: String(quantity) }),
    ...(unit && { unit }),
    ...(typeof note === 'string' && { note }),
    ...(typeof notify === 'boolean' && { notify }),
  }
}

/** As the platform's field wants it, in Taipei. */
export const localMinute = (at: string): string =>
  new Date(Date.parse(at) + 8 * 3_600_000).toISOString().slice(0, 16)

/** An older one tells nobody unless that is asked for, as on the server. */
function isFresh(at: string, now: string): boolean {
  return (
    at === '' || Date.parse(now) - Date.parse(instantOf(at.slice(0, 10), at.slice(11))) <= MANUAL_FRESH_MS
  )
}

// What is known of a security's price limits on this device: the ETFs that have none, its market and its first day.

/** Empty until it is here, and offline where it never was: then the usual limits are warned of. */
export function useLimitFacts(asset: Asset, symbol: string): LimitFacts {
  const wanted = asset === 'stock'
  const { data } = useQuery({ ...tablesQueries.all(), enabled: wanted })
  const version = data?.symbols.version ?? ''
  // the list that is built in says no days
  const { data: list } = useQuery({
    ...tablesQueries.securities(version),
    enabled: wanted && version !== '',
  })
  return useMemo(
    () => ({
      unlimited: data?.unlimited ?? [],
      listing: list?.find((one) => one.symbol === symbol) ?? null,
    }),
    [data, list, symbol],
  )
}
