/* A replay of many that a reload or a closed page broke off: where it stood, and going on with it. */
import { number } from '#text/format.ts'
import { mdHm } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import css from './LeftNote.module.css'
import type { ReplayLeft } from './replay/left.ts'

export type LeftNoteProps = { left: ReplayLeft; onGoOn: () => void; onForget: () => void }

export function LeftNote({ left, onGoOn, onForget }: LeftNoteProps) {
  return (
    <div className={css.root}>
      <Icon name="info" className="ink3" />
      <p>
        上次的重新解析停在 <b className="num">{`${number(left.done)} / ${number(left.total)}`}</b>（
        {mdHm(left.at)}）。做完的不會重做。
      </p>
      <Button size="s" onClick={onGoOn}>
        接著做
      </Button>
      <Button size="s" kind="ghost" onClick={onForget}>
        不用了
      </Button>
    </div>
  )
}
