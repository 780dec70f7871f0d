/* How strong a password is, as a bar and a word. */
import { STRENGTH_WORDS, strength } from '#text/password.ts'
import { cx } from './open.ts'
import css from './StrengthMeter.module.css'

export function StrengthMeter({ password }: { password: string }) {
  const level = strength(password)
  return (
    <div className={cx(css.root, css[`s${level}`])}>
      <span className={css.bar} aria-hidden="true">
        {[1, 2, 3].map((step) => (
          <i key={step} className={cx(step <= level && css.on)} />
        ))}
      </span>
      <span className="t12 ink3" role="status">
        {level > 0 ? `密碼強度：${STRENGTH_WORDS[level]}` : ''}
      </span>
    </div>
  )
}
