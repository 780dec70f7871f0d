/* What a wait says when it has lasted for four seconds: whom it is for, and that nobody has to press anything. */
import { cx } from './open.ts'
import css from './Wait.module.css'

/** Takes its room from the start. Stands in a `role="status"`. `afloat` under rows that may be higher than the screen: over them, where it is seen. */
export function Wait({ afloat = false }: { afloat?: boolean }) {
  return <p className={cx(css.root, afloat && css.afloat)}>伺服器還沒有回應，資料一到就會出現。</p>
}
