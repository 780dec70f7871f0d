// The folded state of strategies that receive signals, in memory between commits: one more record costs the same at 10 and at 100,000.
import type { Scope } from '#contract/events.ts'
import { foldBack, KEPT, keepOn, keptOf, shorten } from '#trading/fold/kept.ts'
import type { Limits } from '#trading/fold/run.ts'
import { EMPTY_TALLY, tallyOn } from '#trading/fold/tally.ts'
import { EMPTY_STATE, foldOn, positionsOf } from '#trading/fold.ts'
import type { DerivedWithFlags, Facts } from '#trading/record.ts'
import { runOn } from '#trading/statistics.ts'
import type { FoldTerms } from '#trading/terms.ts'
import type { Tx } from '../context.ts'
import type { StrategyRow } from '../db/schema.ts'
import { calendarKey } from '../market/calendar.ts'
import type { Change } from '../strategy/derived.ts'
import { type Refolded, refold } from '../strategy/fold.ts'
import { loadTerms } from '../strategy/terms.ts'
import { type Stood, writeStates } from './heads.ts'
import { compareRows, rewriteRows } from './late.ts'
import type { Telling } from './telling.ts'

/** Trades kept in memory over all strategies; beyond it the strategies that were quiet longest are folded again when they speak. */
const TRADES_MOST = 400_000
/** Records kept over all strategies to fold late ones in, about a kilobyte each; beyond it the quietest keep few, then none. */
const HELD_MOST = 100_000
const FEW = 128

/** What memory knows of a strategy; `chain_hash` says of which records. */
export interface View extends Omit<Refolded, 'summary' | 'curve' | 'positions' | 'changes' | 'changed_from'> {
  chain_hash: string
}

/** One strategy's running account within a commit. */
export class Account {
  readonly row: StrategyRow
  readonly closed_days: ReadonlySet<string>
  readonly terms: FoldTerms
  view: View
  /** The chain's head this account stands at. */
  chain_hash: string
  first_added: number | null = null
  added: string[] = []
  /** Records that change what was folded before, and what came after them: folded in when the commit settles. */
  late: Facts[] = []
  /** From where on opening it changed what stored records derive to: the closed days are others than they were. */
  changed_from: number | null = null

  /** `terms` of the same version and closed days, when they are known. */
  constructor(
    row: StrategyRow,
    closed_days: ReadonlySet<string>,
    view: View,
    terms = loadTerms(row, closed_days),
  ) {
    this.row = row
    this.closed_days = closed_days
    this.terms = terms
    this.view = view
    this.chain_hash = row.chain_hash
  }

  /** Folds one further record on; null when it changes what was folded before, so that it waits for `settle`. */
  add(facts: Facts, hash: string): DerivedWithFlags | null {
    this.chain_hash = hash
    this.first_added ??= facts.chain_seq
    this.added.push(facts.id)
    const { view, terms } = this
    const on = this.late.length > 0 ? null : foldOn(view.state, facts, terms)
    if (on?.kind !== 'appended') {
      this.late.push(facts)
      return null
    }
    const { trades, running, kept } = view
    keepOn(kept, { state: view.state, trades: trades.length, tally: view }, facts, terms)
    trades.push(...on.new_trades)
    this.view = { ...tallyOn(view, facts, on.derived), state: on.state, trades, kept, chain_hash: hash }
    if (running) this.view.running = on.new_trades.reduce(runOn, running)
    return on.derived
  }
}

export class Ledger {
  /** In order of last use. */
  readonly #accounts = new Map<string, Account>()
  /** What a commit works on, whatever is forgotten meanwhile. */
  readonly #open = new WeakMap<Tx, Map<string, Account>>()
  readonly #limits: Limits

  constructor(limits = KEPT) {
    this.#limits = limits
  }

  /** The account of a strategy as its row stands now: from memory when chain, terms and closed days are the same, else folded from the records. */
  async open(tx: Tx, row: StrategyRow, closed_days: ReadonlySet<string>): Promise<Account> {
    const known = this.#accounts.get(row.id)
    const alike = known !== undefined && isSame(known, row, closed_days)
    const same = alike && known.chain_hash === row.chain_hash
    const again = same || row.chain_seq === 0 ? null : await refold(tx.db, row, closed_days, this.#limits)
    const view = again ?? (same ? known.view : freshView(this.#limits))
    const { chain_hash } = row
    const account = new Account(row, closed_days, { ...view, chain_hash }, alike ? known.terms : undefined)
    account.changed_from = again?.changed_from ?? null
    this.#accounts.delete(row.id)
    this.#accounts.set(row.id, account)
    const open = this.#open.get(tx) ?? new Map<string, Account>()
    this.#open.set(tx, open.set(row.id, account))
    return account
  }

  /**
   * What memory knows of a strategy under its present terms; undefined when it has to be folded from the records. It may belong
   * to a commit that is still under way or was broken off, or be behind another process: its chain_hash tells.
   */
  peek(row: Pick<StrategyRow, 'id' | 'version'>, closed_days: ReadonlySet<string>): View | undefined {
    const known = this.#accounts.get(row.id)
    return known && isSame(known, row, closed_days) ? known.view : undefined
  }

  /**
   * Writes what folding left behind after the accounts' new records are stored. Records of accounts that had late ones are
   * given with their columns as they are now, by id; the screens are told from where on figures changed.
   */
  async settle(tx: Tx, telling: Telling, strategy_ids: readonly string[]): Promise<Map<string, Change>> {
    const refolded = new Map<string, Change>()
    const states: Stood[] = []
    const changes: Change[] = []
    for (const strategy_id of strategy_ids) {
      const account = this.#open.get(tx)?.get(strategy_id)
      if (!account) throw new Error(`no account is open for strategy ${strategy_id}`)
      const { row, terms, changed_from, late } = account
      if (changed_from !== null) await tellRefolded(telling, row, changed_from)
      account.changed_from = null
      if (late.length > 0) {
        await telling.flush()
        const { added, changed } = await foldLate(tx, telling, account, this.#limits)
        for (const one of added) refolded.set(one.id, one)
        changes.push(...changed)
      }
      const { view } = account
      states.push({ ...view, strategy_id, version: row.version, positions: positionsOf(view.state, terms) })
    }
    await rewriteRows(telling, changes)
    await writeStates(telling, states)
    this.#shrink(new Set(strategy_ids))
    return refolded
  }

  forget(strategy_id: string): void {
    this.#accounts.delete(strategy_id)
  }

  clear(): void {
    this.#accounts.clear()
  }

  #shrink(kept: ReadonlySet<string>): void {
    let [trades, held] = [0, 0]
    for (const { view } of this.#accounts.values()) {
      trades += view.trades.length
      held += view.kept.held
    }
    for (const [id, { view }] of this.#accounts) {
      if (held <= HELD_MOST) break
      if (kept.has(id)) continue
      held -= view.kept.held
      shorten(view.kept, FEW)
      held += view.kept.held
    }
    for (const [id, { view }] of this.#accounts) {
      if (trades <= TRADES_MOST && held <= HELD_MOST) return
      if (kept.has(id)) continue
      trades -= view.trades.length
      held -= view.kept.held
      this.#accounts.delete(id)
    }
  }
}

function isSame(
  known: Account,
  row: Pick<StrategyRow, 'version'>,
  closed_days: ReadonlySet<string>,
): boolean {
  const same_days = calendarKey(known.closed_days) === calendarKey(closed_days)
  return known.late.length === 0 && known.row.version === row.version && same_days
}

async function tellRefolded(telling: Telling, row: StrategyRow, from_chain_seq: number): Promise<void> {
  const scope = row.scope as Scope
  const change = { id: row.id, change: 'refolded', from_chain_seq } as const
  telling.add(await telling.number(scope, 1), scope, 'strategy', change)
}

/**
 * Folds an account's late records in: from a kept state before the place they change, else all from the first record. Gives its
 * new records as they are now, and what is still to be written.
 */
async function foldLate(
  tx: Tx,
  telling: Telling,
  account: Account,
  limits: Limits,
): Promise<{ added: Change[]; changed: readonly Change[] }> {
  const { row, closed_days, terms, late, first_added, added } = account
  const { view } = account
  account.late = []
  const back = foldBack(view.kept, view.state, late, terms)
  if (!back) {
    const again = await refold(tx.db, row, closed_days, limits)
    account.view = { ...again, chain_hash: account.chain_hash }
    if (again.changed_from !== null && again.changed_from < (first_added ?? 0))
      await tellRefolded(telling, row, again.changed_from)
    const columns = ['id', 'derived', 'flags', 'effect', 'realised_pnl'] as const
    const rows = await tx.db.selectFrom('signals').select(columns).where('id', 'in', added).execute()
    return { added: rows, changed: [] }
  }
  const { trades, kept } = view
  const { rows, changed, changed_from } = await compareRows(tx.db, row.id, back)
  trades.splice(back.trades_before, trades.length, ...back.trades)
  account.view = { ...back.tally, state: back.state, trades, kept, chain_hash: account.chain_hash }
  if (changed_from !== null && changed_from < (first_added ?? 0))
    await tellRefolded(telling, row, changed_from)
  return { added: added.map((id) => rows.get(id)).filter((one) => one !== undefined), changed }
}

function freshView(limits: Limits): Omit<View, 'chain_hash'> {
  return { ...EMPTY_TALLY, state: { ...EMPTY_STATE }, trades: [], kept: keptOf([], limits) }
}
