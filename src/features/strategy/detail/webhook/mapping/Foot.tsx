/* What comes next on each step of a mapping; while it is edited the verdict on its message stands above. */

import { failureSentence } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { Button } from '#ui/Button.tsx'
import css from './Foot.module.css'
import { Tried } from './Tried.tsx'
import type { MappingDraft } from './use-mapping.ts'

/** `text` is what stands in the box for a pasted message; null when the message is given. */
export type FootProps = {
  draft: MappingDraft
  text: string | null
  onClose: () => void
  onReplay: (() => void) | undefined
}

export function Foot({ draft, text, onClose, onReplay }: FootProps) {
  const { step, learn, preview, impact, save } = draft
  if (step === 'message')
    return (
      <Button
        kind="filled"
        disabled={text === null || text.trim() === ''}
        busy={learn.isFetching}
        onClick={() =>
          draft.message?.body === text ? void learn.refetch() : draft.take({ body: text ?? '' })
        }
      >
        建議對應
      </Button>
    )
  if (step === 'edit')
    return (
      <div className={css.root}>
        <Tried preview={preview.data} error={preview.error} stale={preview.stale} />
        <Refused text={!draft.faults && impact.error && failureSentence(impact.error, '填的內容還在，')} />
        <div className={`${css.keys} row gap8`}>
          <Button kind="ghost" onClick={draft.clear}>
            清除對應
          </Button>
          <Button kind="filled" busy={impact.isPending} onClick={draft.weigh}>
            看影響
          </Button>
        </div>
      </div>
    )
  if (step === 'impact')
    return (
      <>
        <Button onClick={draft.back}>返回修改</Button>
        <Button kind="filled" busy={save.isPending} onClick={draft.keep}>
          儲存對應
        </Button>
      </>
    )
  return (
    <>
      <Button onClick={onClose}>完成</Button>
      {onReplay && (
        <Button kind="filled" icon="refresh" onClick={onReplay}>
          重新解析這些
        </Button>
      )}
    </>
  )
}
