/* 「3 筆新訊號 ↑」: appears over the list instead of a jump when the person has scrolled away. */
import type { ReactNode } from 'react'
import { Icon } from '../Icon.tsx'
import { useRootMark } from '../root-mark.ts'
import css from './NewPill.module.css'

/** Nothing at 0. Floats 12 px above the tab bar. `noun` 訊號 by default, `unit` what it is counted by. */
export type NewPillProps = { count: number; onClick: () => void; noun?: string; unit?: string }

export function NewPill({ count, onClick, noun = '訊號', unit = '筆' }: NewPillProps) {
  return (
    <div className={css.root} role="status">
      {count > 0 && (
        <Pill onClick={onClick}>
          {count > 99 ? '99+' : count} {unit}新{noun}
        </Pill>
      )}
    </div>
  )
}

function Pill({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  useRootMark('pill')
  return (
    <button type="button" className={css.pill} onClick={onClick}>
      {children}
      <Icon name="arrow-up" size={18} />
    </button>
  )
}
