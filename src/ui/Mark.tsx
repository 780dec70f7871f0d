/* The mark of the product: one wave stroke that ends in a point. */
import css from './buttons.module.css'

/** `size` in px (28). `mono` draws the point in the text colour. With `label` it is announced. */
export type MarkProps = { size?: number; mono?: boolean; label?: string }

export function Mark({ size = 28, mono = false, label }: MarkProps) {
  return (
    <>
      <svg className={css.Mark} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
        <path
          d="M2.4 17C5.2 17 5.4 8 8.4 8s3.2 9.6 6 9.6c2.4 0 3-5.4 4.5-9"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.4"
          strokeLinecap="round"
        />
        <circle cx="20" cy="5.2" r="2.6" fill={mono ? 'currentColor' : 'var(--brand)'} />
      </svg>
      {label && <span className="vh">{label}</span>}
    </>
  )
}
