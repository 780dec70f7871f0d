/* What an organization says of itself, in its own lines. */
import css from './Introduction.module.css'

export function Introduction({ text }: { text: string }) {
  return <p className={css.root}>{text}</p>
}
