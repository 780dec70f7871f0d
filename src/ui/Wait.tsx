/* What a wait says when it has lasted for four seconds: whom it is for, and that nobody has to press anything. */
import css from './Wait.module.css'

/** Takes its room from the start. Stands in a `role="status"`. */
export function Wait() {
  return <p className={css.root}>伺服器還沒有回應，資料一到就會出現。</p>
}
