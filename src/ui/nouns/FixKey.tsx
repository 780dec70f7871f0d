/* The key in a row without a price that gives it one: small to the eye, as high as the row to the finger. */
import css from './FixKey.module.css'

export function FixKey({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className={css.root} onClick={onClick}>
      補價
    </button>
  )
}
