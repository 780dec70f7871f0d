/* Every leaf of the message and what it became; what nothing needs can be ignored, one by one. */
import type { ReadAs } from '#trading/reader/shape.ts'
import { Button } from '#ui/Button.tsx'
import { Tag, type TagTone } from '#ui/Tag.tsx'
import css from './LeafList.module.css'
import { AS_WORDS } from './words.ts'

export type LeafListProps = {
  leaves: readonly { path: string; value: string; as: ReadAs | null; ignorable: boolean }[]
  ignore: readonly string[]
  onChange: (ignore: string[]) => void
}

export function LeafList({ leaves, ignore, onChange }: LeafListProps) {
  return (
    <ul className={css.root}>
      {leaves.map(({ path, value, as, ignorable }) => {
        const ignored = ignore.includes(path)
        return (
          <li key={path}>
            <span className={css.leaf}>
              <code className="mono">{path}</code>
              <span className="mono ink2">{value === '' ? '（空的）' : value}</span>
            </span>
            {as && <Tag tone={toneOf(as)}>{AS_WORDS[as]}</Tag>}
            {(ignored || ignorable) && (
              <Button
                kind="ghost"
                size="s"
                label={ignored ? `不忽略 ${path}` : `忽略這個欄位：${path}`}
                onClick={() => onChange(ignored ? ignore.filter((one) => one !== path) : [...ignore, path])}
              >
                {ignored ? '不忽略' : '忽略這個欄位'}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function toneOf(as: ReadAs): TagTone {
  if (as === 'unknown') return 'danger'
  return as === 'weightless' || as === 'kept' || as === 'ignored' ? 'line' : 'info'
}
