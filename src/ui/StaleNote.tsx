/* How old the figures on the screen are, in words: 離線 · 資料更新於 10:24. */
import { Icon } from './Icon.tsx'
import css from './StaleNote.module.css'

/** `time` HH:mm (or MM/DD HH:mm), already formatted; null: never updated. `word` who does not answer; `offline` false says only the age. */
export type StaleNoteProps = { time: string | null; word?: string; offline?: boolean }

export function StaleNote({ time, word = '離線', offline = true }: StaleNoteProps) {
  return (
    <p className={css.root} role="status">
      {offline && <Icon name="offline" size={16} />}
      {offline && `${word} · `}
      {time === null ? (
        '還沒有存下的資料'
      ) : (
        <span>
          資料更新於 <span className="num">{time}</span>
        </span>
      )}
    </p>
  )
}
