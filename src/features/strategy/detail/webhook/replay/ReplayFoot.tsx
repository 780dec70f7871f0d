/* What comes next on each step of a replay. */
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import css from './ReplayFoot.module.css'
import type { useReplay } from './use-replay.ts'

export type ReplayFootProps = {
  run: ReturnType<typeof useReplay>
  notify: boolean
  onClose: () => void
}

export function ReplayFoot({ run, notify, onClose }: ReplayFootProps) {
  const { step, counts, done, total, error } = run
  if (step === 'making')
    return (
      <div className={css.root}>
        <Button onClick={run.stop}>取消</Button>
      </div>
    )
  const changing = counts.new + counts.changed + counts.now_refused
  return (
    <div className={css.root}>
      <Button
        kind={step === 'done' || (step === 'told' && changing === 0) ? 'filled' : 'outline'}
        onClick={onClose}
      >
        {step === 'trying' || (step === 'told' && changing > 0) ? '取消' : '關閉'}
      </Button>
      {step === 'trying' && error != null && (
        <Button kind="filled" onClick={run.retry}>
          再試一次
        </Button>
      )}
      {step === 'told' && changing > 0 && (
        <Button kind="filled" onClick={() => run.make(notify)}>
          套用 {number(changing)} 則
        </Button>
      )}
      {step === 'stopped' && (
        <Button kind="filled" onClick={() => run.make(notify)}>
          接著做其餘 {number((total ?? 0) - done)} 則
        </Button>
      )}
    </div>
  )
}
