/* How strong a password is, as a bar and a word. */
import { STRENGTH_WORDS, strength } from '#text/password.ts'
import css from './fields.module.css'
import { cx } from './open.ts'

export function StrengthMeter({ password }: { password: string }) {
  const level = strength(password)
  return (
    <div className={cx(css.StrengthMeter, css[`StrengthMeter-s${level}`])}>
      <span className={css.StrengthMeterBar} aria-hidden="true">
        {[1, 2, 3].map((step) => (
          <i key={step} className={cx(step <= level && css.StrengthMeterOn)} />
        ))}
      </span>
      <span className="t12 ink3" role="status">
        {level > 0 ? `密碼強度：${STRENGTH_WORDS[level]}` : ''}
      </span>
    </div>
  )
}
