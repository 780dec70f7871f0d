/* The key that opens the check of one strategy's record: a word on wide screens, a sign on phones. */
import { lazy, Suspense, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { IconButton } from '#ui/IconButton.tsx'

const VerifySheet = lazy(() =>
  import('./VerifySheet.tsx').then(({ VerifySheet }) => ({ default: VerifySheet })),
)

export type VerifyKeyProps = { strategy_id: string; onOpen: (id: string) => void }

export function VerifyKey({ strategy_id, onOpen }: VerifyKeyProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <span className="desk">
        <Button size="s" icon="verified" onClick={() => setOpen(true)}>
          驗證與匯出
        </Button>
      </span>
      <span className="mob">
        <IconButton icon="verified" large label="驗證與匯出" onClick={() => setOpen(true)} />
      </span>
      {open && (
        <Suspense fallback={null}>
          <VerifySheet
            strategy_id={strategy_id}
            onClose={() => setOpen(false)}
            onOpen={(id) => {
              setOpen(false)
              onOpen(id)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
