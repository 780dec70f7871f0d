// One thing an application may do: its words, and whether to allow it.
import { Checkbox } from '#ui/Checkbox.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Tag } from '#ui/Tag.tsx'
import css from './ScopeRow.module.css'

/** `fixed` cannot be left out; `warn` marks what others will notice. */
export function ScopeRow({
  title,
  text,
  fixed,
  warn,
  checked,
  onChange,
}: {
  title: string
  text: string
  fixed: boolean
  warn: boolean
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  const words = (
    <span className={css.words}>
      <b>
        {title}
        {warn && (
          <Tag tone="warn" icon="warning">
            會影響別人
          </Tag>
        )}
      </b>
      <small>{text}</small>
    </span>
  )
  if (!fixed) return <Checkbox label={words} checked={checked} onChange={onChange} className={css.row} />
  return (
    <div className={css.row}>
      <Icon name="check" size={20} label="一定會給" className={css.given} />
      {words}
    </div>
  )
}
