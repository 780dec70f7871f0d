/* One icon in the colour of its text. Decorative unless `label` is given. */
import css from './buttons.module.css'
import { cx } from './open.ts'

/** `size` in px (20). With `label` the icon is read out as that word. */
export type IconProps = { name: IconName; size?: number; label?: string; className?: string | undefined }

export function Icon({ name, size = 20, label, className }: IconProps) {
  return (
    <>
      <svg
        className={cx(css.Icon, className)}
        width={size}
        height={size}
        viewBox="0 0 24 24"
        aria-hidden="true"
      >
        <path d={ICONS[name]} strokeWidth={name === 'more' ? 2.6 : undefined} />
      </svg>
      {label && <span className="vh">{label}</span>}
    </>
  )
}

/* The drawings of the icons: 24 grid, 1.75 stroke, round ends; one path each, taken from the mockups, the rest drawn in their manner. */
export const ICONS = {
  copy: 'M10.5 8.5h7a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM15.5 8.5v-2a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h2',
  plus: 'M12 5v14M5 12h14',
  expand: 'M13.5 4.5h6v6M10.5 19.5h-6v-6M19.5 4.5l-6 6M4.5 19.5l6-6',
  trash:
    'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 11.5A1.5 1.5 0 0 0 8.8 20h6.4a1.5 1.5 0 0 0 1.5-1.5L17.5 7M10 11v5M14 11v5',
  warning: 'M12 4.5 21 19.5H3zM12 10.5v4M12 17v.1',
  'chevron-down': 'M6.5 9.5l5.5 5.5 5.5-5.5',
  clock: 'M4 12a8 8 0 1 0 16 0a8 8 0 1 0-16 0M12 7.5V12l3 2',
  pencil: 'M4.5 19.5l1-4L16 5a2.1 2.1 0 0 1 3 3L8.5 18.5zM14 7l3 3',
  duplicate:
    'M6.5 4.5h6a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2h-6a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2zM18 9.5a1.5 1.5 0 0 1 1.5 1.5v7a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 9.5 18',
  void: 'M4 12a8 8 0 1 0 16 0a8 8 0 1 0-16 0M6.5 17.5l11-11',
  tray: 'M4 13.5V18a1.5 1.5 0 0 0 1.5 1.5h13A1.5 1.5 0 0 0 20 18v-4.5M12 15V4.5M7.5 9 12 4.5 16.5 9',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  offline:
    'M7 18.5h9.5M9.3 7.6A5.3 5.3 0 0 1 17.2 11a3.8 3.8 0 0 1 2.5 6M6.3 10.3A4.2 4.2 0 0 0 7 18.5M4 4l16 16',
  info: 'M4 12a8 8 0 1 0 16 0a8 8 0 1 0-16 0M12 11.5v4.5M12 8v.1',
  bell: 'M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 1.5H5zM10 20.5a2.2 2.2 0 0 0 4 0',
  moon: 'M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7z',
  'chevron-right': 'M9.5 6.5l5.5 5.5-5.5 5.5',
  people:
    'M5.8 8.5a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0M3.5 19.5c.4-3.4 2.5-5.3 5.5-5.3s5.1 1.9 5.5 5.3M15.5 5.7a3 3 0 0 1 0 5.6M17.3 14.6c1.9.7 3 2.3 3.2 4.9',
  send: 'M20 4 3.8 10.2l6.7 3.3 3.3 6.7zM20 4 10.5 13.5',
  chat: 'M7 4.5h10a2.5 2.5 0 0 1 2.5 2.5v6a2.5 2.5 0 0 1-2.5 2.5h-5L8 19.5v-4H7A2.5 2.5 0 0 1 4.5 13V7A2.5 2.5 0 0 1 7 4.5zM8.5 8.5h7M8.5 11.5h4.5',
  home: 'M4 11.2 12 4.5l8 6.7V19a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 19zM9.5 20.5v-6h5v6',
  strategy:
    'M3.5 16.5c2.6 0 3-7 5.8-7s3 5.5 5.4 5.5c2.1 0 2.6-6.2 4.4-8.4M18 5.6a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0-3.2 0M3.5 20.5h17',
  person: 'M8.2 8.3a3.8 3.8 0 1 0 7.6 0a3.8 3.8 0 1 0-7.6 0M4.8 20c.6-4 3.3-6.2 7.2-6.2s6.6 2.2 7.2 6.2',
  phone:
    'M9.5 3.5h5a2.5 2.5 0 0 1 2.5 2.5v12a2.5 2.5 0 0 1-2.5 2.5h-5a2.5 2.5 0 0 1-2.5-2.5v-12a2.5 2.5 0 0 1 2.5-2.5zM11 17.5h2',
  desktop: 'M5.5 5h13a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM9 20h6M12 16v4',
  eye: 'M3 12c2-4 5-6 9-6s7 2 9 6c-2 4-5 6-9 6s-7-2-9-6zM9.3 12a2.7 2.7 0 1 0 5.4 0a2.7 2.7 0 1 0-5.4 0',
  'chevron-left': 'M14.5 6.5 9 12l5.5 5.5',
  minus: 'M5 12h14',
  search: 'M4.5 10.8a6.3 6.3 0 1 0 12.6 0a6.3 6.3 0 1 0-12.6 0M15.5 15.5l4.5 4.5',
  download: 'M12 4.5V15M7.5 10.5 12 15l4.5-4.5M4.5 19.5h15',
  more: 'M5.5 12h.1M12 12h.1M18.5 12h.1',
  share: 'M12 14.5V4M8 7.5 12 4l4 3.5M7 11H5.5v9h13v-9H17',
  verified: 'M12 3.5 19 6v5.5c0 4.3-2.7 7.3-7 9-4.3-1.7-7-4.7-7-9V6zM9 12l2.2 2.2L15.3 10',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  code: 'M8.5 8l-4 4 4 4M15.5 8l4 4-4 4',
  'arrow-up': 'M12 19V5.5M6.5 11 12 5.5l5.5 5.5',
  cards:
    'M6 4.5h3a1.5 1.5 0 0 1 1.5 1.5v3a1.5 1.5 0 0 1-1.5 1.5h-3a1.5 1.5 0 0 1-1.5-1.5v-3a1.5 1.5 0 0 1 1.5-1.5zM15 4.5h3a1.5 1.5 0 0 1 1.5 1.5v3a1.5 1.5 0 0 1-1.5 1.5h-3a1.5 1.5 0 0 1-1.5-1.5v-3a1.5 1.5 0 0 1 1.5-1.5zM6 13.5h3a1.5 1.5 0 0 1 1.5 1.5v3a1.5 1.5 0 0 1-1.5 1.5h-3a1.5 1.5 0 0 1-1.5-1.5v-3a1.5 1.5 0 0 1 1.5-1.5zM15 13.5h3a1.5 1.5 0 0 1 1.5 1.5v3a1.5 1.5 0 0 1-1.5 1.5h-3a1.5 1.5 0 0 1-1.5-1.5v-3a1.5 1.5 0 0 1 1.5-1.5z',
  rows: 'M4.5 6.5h15M4.5 12h15M4.5 17.5h15',
  'bell-off': 'M8 7.2A5.5 5.5 0 0 1 17.5 11v4M6.5 11v5.5L5 18h12.5M10 20.5a2.2 2.2 0 0 0 4 0M4 4l16 16',
  'bell-quiet': 'M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 1.5H5zM9.5 12.5h5',
  filter: 'M4 7h9M17 7h3M4 17h3M11 17h9M13 7a2 2 0 1 0 4 0a2 2 0 1 0-4 0M7 17a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  edit: 'M4.5 19.5h15M6 15.5 15.5 6a1.8 1.8 0 0 1 2.5 2.5L8.5 18H6z',
  'arrow-right': 'M5 12h13.5M13 6.5l5.5 5.5-5.5 5.5',
  'chevron-up': 'M6.5 14.5l5.5-5.5 5.5 5.5',
  sun: 'M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 3v1.8M12 19.2V21M3 12h1.8M19.2 12H21M5.6 5.6l1.3 1.3M17.1 17.1l1.3 1.3M18.4 5.6l-1.3 1.3M6.9 17.1l-1.3 1.3',
  'eye-off':
    'M9.9 6.3A9 9 0 0 1 12 6c4 0 7 2 9 6a14 14 0 0 1-2.6 3.4M6.3 7.6A13.5 13.5 0 0 0 3 12c2 4 5 6 9 6a8.8 8.8 0 0 0 4.7-1.3M10 10.2a2.7 2.7 0 0 0 3.8 3.8M4 4l16 16',
  logout: 'M10 4.5H6A1.5 1.5 0 0 0 4.5 6v12A1.5 1.5 0 0 0 6 19.5h4M14.5 8l4.5 4-4.5 4M19 12H9.5',
  swap: 'M4.5 9h14M15 5.5 18.5 9 15 12.5M19.5 15h-14M9 11.5 5.5 15 9 18.5',
  refresh: 'M19 12a7 7 0 1 1-2.1-5M19.5 4v4.5H15',
  lock: 'M7 10.5h10A1.5 1.5 0 0 1 18.5 12v6.5A1.5 1.5 0 0 1 17 20H7a1.5 1.5 0 0 1-1.5-1.5V12A1.5 1.5 0 0 1 7 10.5M8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5',
  mail: 'M5.5 5.5h13A1.5 1.5 0 0 1 20 7v10a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17V7a1.5 1.5 0 0 1 1.5-1.5M4.5 7.5 12 13l7.5-5.5',
  upload: 'M12 15V4.5M7.5 9 12 4.5 16.5 9M4.5 19.5h15',
  settings: 'M4 7h4M12 7h8M4 17h9M17 17h3M8 7a2 2 0 1 0 4 0a2 2 0 1 0-4 0M13 17a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  book: 'M5 5.5A1.5 1.5 0 0 1 6.5 4H19v16H6.5A1.5 1.5 0 0 1 5 18.5zM5 17.5A1.5 1.5 0 0 1 6.5 16H19',
  calendar:
    'M6 5.5h12A1.5 1.5 0 0 1 19.5 7v11.5A1.5 1.5 0 0 1 18 20H6a1.5 1.5 0 0 1-1.5-1.5V7A1.5 1.5 0 0 1 6 5.5M8.5 3.5v4M15.5 3.5v4M4.5 10.5h15',
  megaphone: 'M4.5 10v4h3l8.5 4.5v-13L7.5 10zM19 9.8a3 3 0 0 1 0 4.4M8 14.5l1 5h2.5',
  pin: 'M9 4.5h6M10 4.5v5L7.5 13h9L14 9.5v-5M12 13v7',
  pause: 'M9 6v12M15 6v12',
  play: 'M8 5.5v13l10.5-6.5z',
  archive: 'M4.5 5h15v4h-15zM6 9v9.5h12V9M10 12.5h4',
  external:
    'M13.5 4.5h6v6M19.5 4.5 11 13M17 13.5v4.5a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 18V8.5A1.5 1.5 0 0 1 6 7h4.5',
  image:
    'M6 5h12a1.5 1.5 0 0 1 1.5 1.5v11A1.5 1.5 0 0 1 18 19H6a1.5 1.5 0 0 1-1.5-1.5v-11A1.5 1.5 0 0 1 6 5M4.5 15.5l4-4 7 7M14 13.5l2-2 3.5 3.5M15 9h.1',
  'arrow-down': 'M12 5v13.5M6.5 13l5.5 5.5 5.5-5.5',
} as const

/** Name of an icon of {@link ICONS}. */
export type IconName = keyof typeof ICONS

/* The mark of the product: one wave stroke that ends in a point. */

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
