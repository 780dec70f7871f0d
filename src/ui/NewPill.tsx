/* 「3 筆新訊號 ↑」: appears over the list instead of a jump when the person has scrolled away. */
import './list.css'
import { Icon } from './Icon.tsx'

/** Nothing at 0. Floats 12 px above the tab bar. `noun` 訊號 by default. */
export type NewPillProps = { count: number; onClick: () => void; noun?: string }

export function NewPill({ count, onClick, noun = '訊號' }: NewPillProps) {
  return (
    <div className="newpill" role="status">
      {count > 0 && (
        <button type="button" className="pill" onClick={onClick}>
          {count > 99 ? '99+' : count} 筆新{noun}
          <Icon name="arrow-up" size={18} />
        </button>
      )}
    </div>
  )
}
