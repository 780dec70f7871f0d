// What the rules of stock strategies make of the signals of a batch (個股訊號設定, docs/decisions/stock-strategies.md).
import type { ReadSignal } from '#trading/reader/shape.ts'
import type { NormalSignal } from '#trading/record.ts'
import { hasLimits, mayClose, ruled, type StockRule, volumeOf } from '#trading/stock-rules.ts'
import type { Tx } from '../context.ts'
import type { DeliveryRow, StrategyRow } from '../db/schema.ts'
import { CAUSE_WORDS, heldKey, heldOf, Passes, type RulesKnown } from '../record/stock-rules.ts'

/** `signal` null = it is none; `columns` what its delivery says of it. */
interface Ruled {
  readonly signal: ReadSignal | null
  readonly quiet: boolean
  readonly columns: Partial<Pick<DeliveryRow, 'outcome' | 'reason_code' | 'reason' | 'ruled_quantity'>>
}

export class Rulings {
  readonly #rules: ReadonlyMap<string, readonly StockRule[]>
  readonly #passes: Passes
  readonly #held: Map<string, number>

  private constructor(
    rules: ReadonlyMap<string, readonly StockRule[]>,
    passes: Passes,
    held: Map<string, number>,
  ) {
    this.#rules = rules
    this.#passes = passes
    this.#held = held
  }

  /** Reads the rules of the strategies that have any, for the symbols that they are asked about. */
  static async of(
    known: RulesKnown,
    { db, at }: Tx,
    asked: readonly { row: StrategyRow; symbol: string }[],
  ): Promise<Rulings> {
    const rules = await known.of(
      db,
      asked.map(({ row }) => row),
    )
    const symbols = asked.flatMap(({ row, symbol }) => (rules.has(row.id) ? [symbol] : []))
    const by_position = [...rules].flatMap(([id, own]) =>
      own.some((one) => one.result === 'ignore' || one.quantity_override !== null) ? [id] : [],
    )
    const passes = await Passes.of(db, [...rules.values()].flat(), symbols, at)
    return new Rulings(rules, passes, await heldOf(db, by_position))
  }

  /** What becomes of a signal that no other message has made; `id` is the one it will have. In the order they came. */
  of(
    row: Pick<StrategyRow, 'id' | 'status'>,
    { signal, normal }: { signal: ReadSignal; normal: NormalSignal | null },
    { received_at: at }: Pick<DeliveryRow, 'received_at'>,
    id: string,
  ): Ruled {
    const rules = this.#rules.get(row.id)
    if (!rules) return { signal, quiet: false, columns: {} }
    const { symbol, action } = signal
    const place = heldKey(row.id, symbol)
    const held = this.#held.get(place) ?? 0
    const of = { at, told: this.#passes.told(signal), held }
    const { rule, result, cause } = ruled(rules, { ...signal, volume: volumeOf(normal) }, of)
    if (result === 'ignore') {
      const reason = `依規則「${rule?.name}」忽略，沒有成為訊號`
      return {
        signal: null,
        quiet: true,
        columns: { outcome: 'ignored', reason_code: 'rule_ignored', reason },
      }
    }
    // What it leads to is known when it is folded: whatever may have opened something counts as holding it.
    if (held === 0) this.#held.set(place, mayClose(action, 1) ? -1 : 1)
    if (!rule) return { signal, quiet: false, columns: {} }
    const quiet = result === 'record_only'
    // What is paused is told to nobody.
    const told = !quiet && row.status !== 'paused'
    if (told && hasLimits(rule)) this.#passes.add({ rule_id: rule.id, signal_id: id, symbol, action, at })
    const size = mayClose(action, held) ? null : rule.quantity_override
    const other = size !== null && signal.quantity !== null && size !== signal.quantity
    const said = [
      ...(quiet ? [cause === null ? '只記錄不通知' : CAUSE_WORDS[cause]] : []),
      ...(other ? ['數量依規則'] : []),
    ]
    return {
      signal: other ? { ...signal, quantity: size } : signal,
      quiet,
      columns: {
        ...(said.length > 0 && { reason: `規則「${rule.name}」：${said.join('，')}` }),
        ...(other && { ruled_quantity: size }),
      },
    }
  }

  /** Stores what rules with limits told. */
  async store({ db }: Tx): Promise<void> {
    await this.#passes.store(db)
  }
}
