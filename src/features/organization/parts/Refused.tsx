/* What a form or a question says of a refused call, at its end; nothing when there is nothing to say. */
import { Banner } from '#ui/Banner.tsx'

export function Refused({ text }: { text: string | null }) {
  if (!text) return null
  return (
    <Banner tone="danger" icon="warning" urgent>
      {text}
    </Banner>
  )
}
