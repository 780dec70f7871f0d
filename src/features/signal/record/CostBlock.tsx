/* 損益怎麼算: the figure of the record, line by line. */

import type { SignalRecord } from '#contract/signal.ts'
import { signed } from '#text/format.ts'
import { KeyValues, Masked } from '#ui/Figures.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { Block } from './Block.tsx'
import css from './CostBlock.module.css'
import { costsOf } from './costs.ts'

/** Nothing for a record without costs and result. */
export type CostBlockProps = { record: SignalRecord; average: number | null; masked: boolean }

export function CostBlock({ record, average, masked }: CostBlockProps) {
  const costs = costsOf(record, average)
  if (!costs || record.derived.status === 'voided') return null
  const rows = costs.lines.map((line) => ({
    key: line.label,
    label: (
      <>
        {line.label} <span className={css.detail}>{masked ? '' : line.detail}</span>
      </>
    ),
    value: masked ? <Masked /> : signed(line.value),
  }))
  const total = {
    label: '淨損益',
    value: <Delta value={costs.net} masked={masked} arrow={false} />,
    total: true,
  }
  return (
    <Block title={costs.net === null ? '這一筆的成本' : '損益怎麼算'}>
      <KeyValues rows={costs.net === null ? rows : [...rows, total]} />
    </Block>
  )
}
