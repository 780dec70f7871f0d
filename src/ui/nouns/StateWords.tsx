/* The state words of a signal row. */
import { cx } from '../open.ts'
import { StateWord, type StateWordProps } from './StateWord.tsx'
import css from './StateWords.module.css'

/** The first matters most: the last goes first where there is no room. */
export type StateWordsProps = { states: readonly StateWordProps[]; className?: string | undefined }

export function StateWords({ states, className }: StateWordsProps) {
  return (
    <span className={cx(css.root, className)}>
      {states.map((state) => (
        <StateWord key={state.text} {...state} />
      ))}
    </span>
  )
}
