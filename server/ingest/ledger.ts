// The folded state of strategies that receive signals, in memory between commits: one more record costs the same at 10 and at 100,000.
import type { Scope } from '#contract/events.ts'
import { EMPTY_STATE, foldOn, positionsOf } from '#trading/fold.ts'
import type { DerivedWithFlags, Facts } from '#trading/record.ts'
import { runOn } from '#trading/statistics.ts'
import type { FoldTerms } from '#trading/terms.ts'
import type { Tx } from '../context.ts'
import type { SignalRow, StrategyRow } from '../db/schema.ts'
import { calendarKey } from '../market/calendar.ts'
import { EMPTY_TALLY, type FoldView, refold, tallyOn } from '../strategy/fold.ts'
import { loadTerms } from '../strategy/terms.ts'
import { type Stood, writeStates } from './heads.ts'
import type { Telling } from './telling.ts'

/** Trades kept in memory over all strategies; beyond it the strategies that were quiet longest are folded again when they speak. */
const TRADES_MOST = 400_000

type Refolded = Pick<SignalRow, 'id' | 'derived' | 'flags' | 'effect' | 'realised_pnl'>

/** One strategy's running account within a commit. */
export class Account {
  readonly row: StrategyRow
  readonly closed_days: ReadonlySet<string>
  readonly terms: FoldTerms
  view: Omit<FoldView, 'summary' | 'curve' | 'positions'>
  /** The chain's head this account stands at. */
  chain_hash: string
  first_added: number | null = null
  added: string[] = []
  stale = false
  /** From where on opening it changed what stored records derive to: the closed days are others than they were. */
  changed_from: number | null = null

  /** `terms` of the same version and closed days, when they are known. */
  constructor(
    row: StrategyRow,
    closed_days: ReadonlySet<string>,
    view: Account['view'],
    terms = loadTerms(row, closed_days),
  ) {
    this.row = row
    this.closed_days = closed_days
    this.terms = terms
    this.view = view
    this.chain_hash = row.chain_hash
  }

  /** Folds one further record on; null when it changes what was folded before, so that all must be folded again. */
  add(facts: Facts, hash: string): DerivedWithFlags | null {
    this.chain_hash = hash
    this.first_added ??= facts.chain_seq
    this.added.push(facts.id)
    if (this.stale) return null
    const on = foldOn(this.view.state, facts, this.terms)
    if (on.kind === 'refold') {
      this.stale = true
      return null
    }
    const { trades, running } = this.view
    trades.push(...on.new_trades)
    this.view = { ...tallyOn(this.view, facts, on.derived), state: on.state, trades }
    if (running) this.view.running = on.new_trades.reduce(runOn, running)
    return on.derived
  }
}

export class Ledger {
  /** In order of last use. */
  readonly #accounts = new Map<string, Account>()

  /** The account of a strategy as its row stands now: from memory when chain, terms and closed days are the same, else folded from the records. */
  async open(tx: Tx, row: StrategyRow, closed_days: ReadonlySet<string>): Promise<Account> {
    const known = this.#accounts.get(row.id)
    const alike = known !== undefined && isSame(known, row, closed_days)
    const same = alike && known.chain_hash === row.chain_hash
    const again = same || row.chain_seq === 0 ? null : await refold(tx.db, row, closed_days)
    const view = again ?? (same ? known.view : freshView())
    const account = new Account(row, closed_days, view, alike ? known.terms : undefined)
    account.changed_from = again?.changed_from ?? null
    this.#accounts.delete(row.id)
    this.#accounts.set(row.id, account)
    return account
  }

  /** What memory knows of a strategy under its present terms; undefined when it has to be folded from the records. */
  peek(
    row: Pick<StrategyRow, 'id' | 'version'>,
    closed_days: ReadonlySet<string>,
  ): Account['view'] | undefined {
    const known = this.#accounts.get(row.id)
    return known && isSame(known, row, closed_days) ? known.view : undefined
  }

  /**
   * Writes what folding left behind after the accounts' new records are stored. Records of accounts that had to be folded
   * again with all others are given with their refolded columns, by id; the screens are told from where on figures changed.
   */
  async settle(tx: Tx, telling: Telling, strategy_ids: readonly string[]): Promise<Map<string, Refolded>> {
    const refolded = new Map<string, Refolded>()
    const states: Stood[] = []
    for (const strategy_id of strategy_ids) {
      const account = this.#accounts.get(strategy_id)
      if (!account) throw new Error(`no account is open for strategy ${strategy_id}`)
      const { row, view, terms, changed_from } = account
      if (changed_from !== null) await tellRefolded(telling, row, changed_from)
      account.changed_from = null
      if (account.stale) for (const one of await foldAgain(tx, telling, account)) refolded.set(one.id, one)
      else
        states.push({ ...view, strategy_id, version: row.version, positions: positionsOf(view.state, terms) })
    }
    if (states.length > 0) await writeStates(telling, states)
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
    let trades = 0
    for (const account of this.#accounts.values()) trades += account.view.trades.length
    for (const [id, account] of this.#accounts) {
      if (trades <= TRADES_MOST) return
      if (kept.has(id)) continue
      trades -= account.view.trades.length
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
  return !known.stale && known.row.version === row.version && same_days
}

async function tellRefolded(telling: Telling, row: StrategyRow, from_chain_seq: number): Promise<void> {
  const scope = row.scope as Scope
  const change = { id: row.id, change: 'refolded', from_chain_seq } as const
  telling.add(await telling.number(scope, 1), scope, 'strategy', change)
}

async function foldAgain(tx: Tx, telling: Telling, account: Account): Promise<Refolded[]> {
  const { row, closed_days, added } = account
  await telling.flush()
  const again = await refold(tx.db, row, closed_days)
  account.view = again
  account.stale = false
  const { changed_from } = again
  if (changed_from !== null && changed_from < (account.first_added ?? 0))
    await tellRefolded(telling, row, changed_from)
  const columns = ['id', 'derived', 'flags', 'effect', 'realised_pnl'] as const
  return tx.db.selectFrom('signals').select(columns).where('id', 'in', added).execute()
}

function freshView(): Account['view'] {
  return { ...EMPTY_TALLY, state: { ...EMPTY_STATE }, trades: [] }
}
