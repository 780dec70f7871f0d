/* A QR code as a picture: dark on white in both themes, because cameras expect it. */

import css from './QrCode.module.css'
import { qr } from './qr.ts'

/** `label` says what the code opens. Nothing for texts that are too long. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = qr(text)
  if (!rows) return null
  const size = rows.length + 8
  const path = rows
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : '')))
    .join('')
  return (
    <svg className={css.root} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  )
}
