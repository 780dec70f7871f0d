/* The lists that Mantine opens, in the look of our menus: their classes, and what stands in a line. */
import { Icon } from '../Icon.tsx'
import css from './List.module.css'

/** For `classNames` of the library's parts. */
export const LISTS = {
  dropdown: css.root,
  options: css.options,
  option: css.option,
  groupLabel: css.group,
  empty: css.empty,
}

export function ListLine({ label, chosen }: { label: string; chosen: boolean }) {
  return (
    <>
      <span className={css.words}>{label}</span>
      {chosen && <Icon name="check" size={16} />}
    </>
  )
}
