/* How far the check is: a bar that never jumps back, and the count. */
import { number } from '#text/format.ts'
import { ProgressBar } from '#ui/Banner.tsx'
import css from './VerifySheet.module.css'

/** `total` null until the server has said how many there are. */
export type ProgressProps = { done: number; total: number | null }

export function Progress({ done, total }: ProgressProps) {
  const share = total ? done / total : 0
  return (
    <div className={css.hero}>
      <p className="t16 w6">驗證中</p>
      <ProgressBar label="驗證進度" share={total === null ? null : share} />
      <p className="num t13 ink3">{total === null ? '讀取紀錄' : `${number(done)} / ${number(total)} 筆`}</p>
    </div>
  )
}
