/* How far a work is: a bar, running to and fro while nobody knows of how much. */
import css from './ProgressBar.module.css'

/** `share` 0 to 1; null while the whole is not known. */
export type ProgressBarProps = { label: string; share: number | null }

export function ProgressBar({ label, share }: ProgressBarProps) {
  return <progress className={css.root} aria-label={label} max={1} value={share ?? undefined} />
}
