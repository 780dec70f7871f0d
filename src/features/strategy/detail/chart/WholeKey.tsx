/* Back to the whole, where only a part of a chart is in view. */
import css from './WholeKey.module.css'

export function WholeKey({ onPress }: { onPress: () => void }) {
  return (
    <button type="button" className={css.root} onClick={onPress}>
      看整段
    </button>
  )
}
