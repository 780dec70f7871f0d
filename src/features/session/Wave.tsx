// Phones: the one stroke that becomes a signal, above the form.
import css from './LoginFrame.module.css'

export function Wave() {
  return (
    <svg className={css.wave} viewBox="0 0 390 240" aria-hidden="true">
      <path
        d="M-10 168C40 168 48 96 104 96s62 96 122 96c52 0 66-70 88-124"
        fill="none"
        stroke="var(--chart-line)"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
      <circle cx="320" cy="52" r="18" fill="var(--brand)" opacity=".14" />
      <circle cx="320" cy="52" r="7" fill="var(--brand)" />
    </svg>
  )
}
