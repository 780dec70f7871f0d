/* Pictures on their way into the note, and those that did not arrive: tried again or let go. */
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import css from './NoteUploads.module.css'
import type { Uploads } from './use-uploads.ts'

export function NoteUploads({ uploads: { list, retry, drop } }: { uploads: Uploads }) {
  return (
    <ul className={css.root} aria-label="圖片上傳" aria-live="polite">
      {list.map((one) => (
        <li key={one.key} className={one.problem === null ? undefined : css.failed}>
          <Icon name={one.problem === null ? 'upload' : 'warning'} size={18} />
          <span>
            <b className="el">{one.file.name || '貼上的圖片'}</b>
            <small>{one.problem ?? '上傳中…'}</small>
          </span>
          {one.again && (
            <Button size="s" kind="ghost" onClick={() => retry(one)}>
              重試
            </Button>
          )}
          {one.problem !== null && (
            <Button size="s" kind="ghost" onClick={() => drop(one)}>
              不加了
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
