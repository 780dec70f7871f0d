// The positions of a strategy as the 部位 tab lists them: what is recorded, what waits over it, and what each is worth.
import type { Expiry, PositionGap, Strategy } from '#contract/strategy.ts'
import { mdHm } from '#text/format.ts'
import { productText } from '#text/row.ts'
import { positionWords, unvalued } from '#text/signal.ts'
import {
  divHalfUp,
  mul,
  ratio,
  roundHalfUpWhole,
  type Scaled,
  scaled,
  toNumber,
  whole,
} from '#trading/decimal.ts'
import { assetOf } from '#trading/kinds.ts'
import { findProduct } from '#trading/products.ts'
import type { Asset } from '#trading/record.ts'

type Position = Strategy['positions'][number]

export interface PositionLine extends Position {
  key: string
  /** 小台 近月, 2330 台積電. */
  name: string
  /** Signed: what is recorded, where something that waits would change it; null where nothing waits. */
  recorded: number | null
  /** Why it has no value, null when it has one. */
  why: string | null
  /** Points in its favour, all lots together; futures only. */
  points: number | null
  /** Shares at the reference price; stocks only. */
  worth: number | null
  /** Unrealised P&L of what its shares cost at the average; stocks only. */
  share: number | null
}

const keyOf = ({ symbol, contract }: Position) => `${symbol} ${contract ?? ''}`
const WAITS = '送出後才會估算'

/** `laid` the strategy with what waits on this device over it, `recorded` without. Sorted by name; what would be closed stays in the list. */
export function positionLines(laid: Strategy, recorded: Strategy): PositionLine[] {
  const asset = assetOf(laid)
  const before = new Map(recorded.positions.map((one) => [keyOf(one), one]))
  const after = new Map(laid.positions.map((one) => [keyOf(one), one]))
  const waits = laid !== recorded && laid.positions !== recorded.positions
  const all = [...new Map([...before, ...after]).keys()].sort()
  return all.map((key) => {
    const was = before.get(key)
    const given = after.get(key) ?? {
      ...(was as Position),
      quantity: 0,
      avg_price: null,
      unrealised_pnl: null,
    }
    const changed = waits && (was?.quantity !== given.quantity || was.avg_price !== given.avg_price)
    // laying over drops the value of every position; those it does not touch keep theirs
    const position = changed || !was ? given : was
    return {
      ...position,
      key,
      name: productText({ asset, ...position }),
      recorded: changed ? (was?.quantity ?? 0) : null,
      why: changed ? WAITS : unvalued(position),
      ...measured(position, asset === 'stock'),
    }
  })
}

function measured(
  { symbol, quantity, avg_price, ref_price, unrealised_pnl }: Position,
  stock: boolean,
): Pick<PositionLine, 'points' | 'worth' | 'share'> {
  const size = BigInt(Math.abs(quantity))
  const point_value = stock ? undefined : findProduct(symbol)?.point_value
  const gain = unrealised_pnl === null ? null : scaled(unrealised_pnl)
  return {
    points:
      point_value === undefined || gain === null
        ? null
        : toNumber(divHalfUp(gain * 10_000n, scaled(point_value))),
    worth: stock && ref_price !== null ? toNumber(scaled(ref_price) * size) : null,
    share: stock && gain !== null && avg_price !== null ? ratio(gain, scaled(avg_price) * size, 6) : null,
  }
}

export interface PositionsTotal {
  /** Null while nobody knows the P&L of any of them. */
  unrealised: number | null
  worth: number
  /** Positions whose P&L nobody knows yet: they are not in its sum. */
  left_out: number
}

/** The sums over all that have a value. */
export function totalOf(lines: readonly PositionLine[]): PositionsTotal {
  const sum = (values: readonly (number | null)[]): Scaled =>
    values.reduce<Scaled>((total, value) => total + scaled(value ?? 0), 0n)
  const known = lines.flatMap(({ unrealised_pnl }) => (unrealised_pnl === null ? [] : [unrealised_pnl]))
  return {
    unrealised: known.length > 0 ? toNumber(sum(known)) : null,
    worth: toNumber(sum(lines.map(({ worth }) => worth))),
    left_out: lines.filter(({ quantity, unrealised_pnl }) => quantity !== 0 && unrealised_pnl === null)
      .length,
  }
}

/** Its part of everything held, 0–1; null where nothing can be compared. */
export function partOf(
  { worth }: Pick<PositionLine, 'worth'>,
  total: Pick<PositionsTotal, 'worth'>,
): number | null {
  return worth === null || total.worth === 0 ? null : ratio(scaled(worth), scaled(total.worth), 4)
}

// A position that the source reported differently, in words (domain §5.3, rule 6).

const ANSWERED: Record<NonNullable<PositionGap['answer']>['is'], string> = {
  source: '以來源為準',
  ignore: '已忽略',
}

export interface GapWords {
  /** 平台 多 1 口／來源 多 2 口. */
  both: string
  held: string
  reported: string
  after: string
  /** 小台 近月 11/20 09:17. */
  where: string
  /** Who answered what, when; null while nobody did. */
  answered: string | null
}

export function gapWords(gap: PositionGap, asset: Asset): GapWords {
  const [held, reported, after] = [gap.held, gap.reported, gap.after].map(
    (quantity) => positionWords(quantity, asset).word,
  ) as [string, string, string]
  const { answer } = gap
  return {
    both: `平台${spaced(held)}／來源${spaced(reported)}`,
    held,
    reported,
    after,
    where: `${productText({ asset, ...gap })} ${mdHm(gap.occurred_at)}`,
    answered:
      answer && `${ANSWERED[answer.is]}（${[answer.by, mdHm(answer.at)].filter(Boolean).join('，')}）`,
  }
}

/** Every one that nobody answered, newest first, then the newest that somebody did: it may be answered anew. */
export function gapsShown(gaps: readonly PositionGap[] = []): PositionGap[] {
  const answered = gaps.find(({ answer }) => answer !== null)
  return [...gaps.filter(({ answer }) => answer === null), ...(answered ? [answered] : [])]
}

const spaced = (word: string) => ` ${word}`

// What settling a position left open would come to, before costs.

/** NT$ before fees and tax, to the whole; null while a price it needs is missing. */
export function grossOf(
  { symbol, quantity, avg_price }: Pick<Expiry, 'symbol' | 'quantity' | 'avg_price'>,
  settlement_price: number,
): number | null {
  const each = findProduct(symbol)?.point_value
  if (avg_price === null || each === undefined) return null
  const points = scaled(settlement_price) - scaled(avg_price)
  return toNumber(roundHalfUpWhole(mul(mul(points, scaled(each)), whole(quantity))))
}
