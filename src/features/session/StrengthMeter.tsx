// How strong a password is, as a bar and a word.
import { cx } from '#ui/open.ts'
import { STRENGTH_WORDS, type Strength } from './password.ts'

export function StrengthMeter({ level }: { level: Strength }) {
  return (
    <div className={cx('strength', `s${level}`)}>
      <span className="strength-bar" aria-hidden="true">
        {[1, 2, 3].map((step) => (
          <i key={step} className={cx(step <= level && 'on')} />
        ))}
      </span>
      <span className="t12 ink3" role="status">
        {level > 0 ? `密碼強度：${STRENGTH_WORDS[level]}` : ''}
      </span>
    </div>
  )
}
