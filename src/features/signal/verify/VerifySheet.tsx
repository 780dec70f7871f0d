/* 驗證紀錄: every record of a strategy hashed again in this browser; says how far, what came out, and gives the record as a file. */
import { useGo } from '#screen/go.ts'
import { Button } from '#ui/Button.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { opens } from '#ui/open.ts'
import { Sheet } from '#ui/Sheet.tsx'
import { Broken } from './Broken.tsx'
import { ExportKeys } from './ExportKeys.tsx'
import { Progress } from './Progress.tsx'
import { useCheck } from './use-check.ts'
import css from './VerifySheet.module.css'
import { Whole } from './Whole.tsx'

const HOW = '/guide#verify'

/** `onOpen` opens a record by id (the one that does not fit). */
export type VerifySheetProps = { strategy_id: string; onClose: () => void; onOpen?: (id: string) => void }

export function VerifySheet({ strategy_id, onClose, onOpen }: VerifySheetProps) {
  const { open } = useGo()
  const { state, again } = useCheck(strategy_id)
  return (
    <Sheet
      open
      onClose={onClose}
      title="驗證紀錄"
      subtitle="在這個瀏覽器重算每一筆的雜湊，不靠伺服器說了算"
      foot={
        <Button kind="soft" icon="refresh" disabled={state.at === 'running'} onClick={again}>
          再驗證一次
        </Button>
      }
    >
      <div className={css.root}>
        <div aria-live="polite">
          {state.at === 'running' && <Progress done={state.done} total={state.total} />}
          {state.at === 'failed' && (
            <FailState title="這次沒有驗證成" onRetry={again}>
              {state.text}
            </FailState>
          )}
          {state.at === 'done' &&
            (state.check.ok ? (
              <Whole check={state.check} when={state.when} />
            ) : (
              <Broken strategy_id={strategy_id} check={state.check} when={state.when} onOpen={onOpen} />
            ))}
        </div>
        <section className={css.block} aria-label="帶走這份紀錄">
          <h3>帶走這份紀錄</h3>
          <ExportKeys strategy_id={strategy_id} />
          <p className="t13 ink3">
            JSON 含每一筆的雜湊，任何人都能檢查，不必連線，也不必相信這台伺服器。
            <a className="link" href={HOW} onClick={opens(() => open(HOW))}>
              怎麼檢查
            </a>
          </p>
        </section>
      </div>
    </Sheet>
  )
}
