/* 未平倉損益: a — never stands without the few words that say what it waits for. */
import { Delta } from '#ui/nouns/Delta.tsx'

/** `why` there is no value; `tight` leaves no room for it: it is heard, and seen when pointed at. */
export type FloatingProps = { value: number | null; why: string | null; masked: boolean; tight?: boolean }

export function Floating({ value, why, masked, tight = false }: FloatingProps) {
  const told = masked ? null : why
  return (
    <span data-tip={tight ? (told ?? undefined) : undefined}>
      <Delta value={value} arrow={tight} masked={masked} />
      {told && (tight ? <span className="vh">{told}</span> : <small className="ink3">{told}</small>)}
    </span>
  )
}
