/* What is not read yet: a point at the row's edge beside the weight of its title, for colour is never the only sign. */
import css from './UnreadDot.module.css'

/** Stands in a row that is `position: relative`; `--unread-top` of that row says how far down. Screen readers hear 未讀 in the title. */
export function UnreadDot() {
  return <span className={css.root} />
}
