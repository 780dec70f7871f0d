// Names and addresses of people as privacy mode wants them.
import { usePrivacy } from '#screen/privacy.ts'
import { masked } from '#screen/profile.ts'

/** `cover(text)` gives the text, or asterisks of equal length; `face(src)` no picture then; `on` says which. */
export function usePeople() {
  const { on } = usePrivacy()
  return {
    on,
    cover: (text: string) => (on ? masked(text) : text),
    face: (src: string | null) => (on ? null : src),
  }
}
