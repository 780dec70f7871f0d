/* Money in privacy mode: dots to the eye, a word to the screen reader. */
import { MASK } from '#text/format.ts'

export function Masked() {
  return (
    <span className="num ink2">
      <span className="dots" aria-hidden="true">
        {MASK}
      </span>
      <span className="vh">已隱藏</span>
    </span>
  )
}
