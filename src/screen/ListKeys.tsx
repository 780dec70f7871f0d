/* Beside the title of a list: on phones the connection and small keys, on desktops 手動訊號 in words. */
import type { ReactNode } from 'react'
import { Button } from '#ui/Button.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Connection } from './Connection.tsx'
import { useManual } from './manual.ts'

/** `sends` there is a strategy to send for; `children`: more small keys of phones. */
export function ListKeys({ sends, children }: { sends: boolean; children?: ReactNode }) {
  const manual = useManual()
  return (
    <>
      <div className="mob row gap4">
        <Connection short />
        {sends && <IconButton icon="send" label="手動訊號" size={22} large {...manual.to()} />}
        {children}
      </div>
      {sends && (
        <span className="desk">
          <Button icon="send" {...manual.to()}>
            手動訊號
          </Button>
        </span>
      )}
    </>
  )
}
