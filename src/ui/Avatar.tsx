/* A face or the first character of a name. */

/** `src` null or absent shows the character; `size` px (32). Decorative: the name stands beside it. */
export type AvatarProps = { name: string; src?: string | null; size?: number; dim?: boolean }

export function Avatar({ name, src, size = 32, dim = false }: AvatarProps) {
  const box = { width: size, height: size }
  if (src) return <img className="av" src={src} alt="" style={box} loading="lazy" />
  return (
    <span className={dim ? 'av dim' : 'av'} style={box} aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase() ?? '·'}
    </span>
  )
}
