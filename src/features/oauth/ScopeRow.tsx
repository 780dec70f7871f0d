// One thing an application may do: its words, and whether to allow it.
import { Checkbox } from '#ui/Checkbox.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Tag } from '#ui/Tag.tsx'

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
    <span className="scope-words">
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
  if (!fixed) return <Checkbox label={words} checked={checked} onChange={onChange} />
  return (
    <div className="scope-fixed">
      <Icon name="check" size={20} label="一定會給" />
      {words}
    </div>
  )
}
