// A position that the source reported differently, in words (domain §5.3, rule 6).
import type { PositionGap } from '#contract/strategy.ts'
import { mdHm } from '#text/format.ts'
import { productText } from '#text/row.ts'
import { positionWords } from '#text/signal.ts'
import type { Asset } from '#trading/record.ts'

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
