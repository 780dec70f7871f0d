// Whether the chains of all strategies hold: fed with the strategies, then with their records in the order of each chain.
import { createHash } from 'node:crypto'
import { GENESIS, linkText } from '#trading/chain.ts'

interface Head {
  readonly seq: number
  readonly hash: string
  readonly deleted: boolean
}
export interface KeptLink {
  readonly strategy_id: string
  readonly chain_seq: number
  readonly prev_hash: string
  readonly hash: string
  readonly facts: string
}

export class Chains {
  readonly #heads = new Map<string, Head>()
  readonly #at = new Map<string, { seq: number; hash: string }>()
  readonly #broken = new Set<string>()

  strategy(id: string, chain_seq: number, chain_hash: string, deleted_at: string | null): void {
    this.#heads.set(id, { seq: chain_seq, hash: chain_hash, deleted: deleted_at !== null })
  }

  link({ strategy_id, chain_seq, prev_hash, hash, facts }: KeptLink): void {
    const before = this.#at.get(strategy_id) ?? this.#first(strategy_id, chain_seq, prev_hash)
    const made = createHash('sha256').update(linkText(prev_hash, facts)).digest('hex')
    if (chain_seq !== before.seq + 1 || prev_hash !== before.hash || made !== hash)
      this.#broken.add(strategy_id)
    this.#at.set(strategy_id, { seq: chain_seq, hash })
  }

  /** The strategies whose chain does not hold, or does not end where the strategy says. */
  broken(): string[] {
    for (const [id, head] of this.#heads) {
      const at = this.#at.get(id) ?? { seq: 0, hash: GENESIS }
      // Of a strategy that was deleted the records may be gone, wholly or as far as the erasing has come.
      if (!head.deleted && (at.seq !== head.seq || at.hash !== head.hash)) this.#broken.add(id)
    }
    return [...this.#broken].sort()
  }

  #first(id: string, chain_seq: number, prev_hash: string): { seq: number; hash: string } {
    return this.#heads.get(id)?.deleted ? { seq: chain_seq - 1, hash: prev_hash } : { seq: 0, hash: GENESIS }
  }
}
