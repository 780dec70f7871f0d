/* A line of small figures under a big one: label over value. */
import type { ReactNode } from 'react'

/** `value` text or a part (Delta, Money). `framed` draws the hairline above (foot of a card). */
export type FiguresProps = {
  figures: readonly { label: string; value: ReactNode; unit?: string }[]
  framed?: boolean
}

export function Figures({ figures, framed = false }: FiguresProps) {
  return (
    <dl className={framed ? 'figures framed' : 'figures'}>
      {figures.map((figure) => (
        <div key={figure.label}>
          <dt>{figure.label}</dt>
          <dd className="num">
            {figure.value}
            {figure.unit && <small>{figure.unit}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
