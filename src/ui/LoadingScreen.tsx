/* The whole screen while something essential is fetched. */
import css from './LoadingScreen.module.css'

/** Two lines, e.g. 載入中... and 正在載入頁面. */
export type LoadingScreenProps = { title: string; subtitle?: string }

export function LoadingScreen({ title, subtitle }: LoadingScreenProps) {
  return (
    <div className={css.root} role="status" aria-live="polite">
      <svg viewBox="0 0 130 56" width="130" height="56" aria-hidden="true">
        <path
          d="M6 38c18 0 18-22 36-22s20 26 40 26c18 0 26-20 37-31"
          fill="none"
          stroke="var(--chart-line)"
          strokeWidth="2"
          strokeLinecap="round"
        />
        <circle className={css.beat} cx="120" cy="10" r="4.5" fill="var(--brand)" />
      </svg>
      <b>{title}</b>
      {subtitle && <p>{subtitle}</p>}
    </div>
  )
}
