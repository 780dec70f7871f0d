/* Bringing a file of XQ, or lines of one that are pasted: the keys, and the sheet that follows; the sheet outlives the place of the keys. */
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { useDirtyForm } from '#screen/dirty.ts'
import { ORIGINAL_FILE_BYTES } from '#trading/original/shape.ts'
import { Button } from '#ui/Button.tsx'
import { FileButton } from '#ui/FileButton.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { TextField } from '#ui/TextField.tsx'
import css from './OriginalTab.module.css'

// the reader of files is for who chooses one
const ImportSheet = lazy(() =>
  import('./ImportSheet.tsx').then(({ ImportSheet }) => ({ default: ImportSheet })),
)

interface Brought {
  file: File
  source: 'csv' | 'paste'
}

/** `keys` with the main one filled; `sheet` stands wherever the keys may go. */
export function useImport(strategy: Strategy): { keys: (primary: boolean) => ReactNode; sheet: ReactNode } {
  const [brought, setBrought] = useState<Brought | null>(null)
  const [pasting, setPasting] = useState(false)
  const keys = (primary: boolean) => (
    <div className={css.keys}>
      <FileButton
        testId="original-file"
        accept=".csv,.txt,.log"
        kind={primary ? 'filled' : 'outline'}
        onFile={(file) => setBrought({ file, source: 'csv' })}
      >
        匯入檔案
      </FileButton>
      <Button kind="ghost" onClick={() => setPasting(true)}>
        貼上文字
      </Button>
    </div>
  )
  const sheet = (
    <>
      {pasting && (
        <PasteSheet
          onClose={() => setPasting(false)}
          onRead={(file) => {
            setPasting(false)
            setBrought({ file, source: 'paste' })
          }}
        />
      )}
      {brought && (
        <Suspense>
          <ImportSheet
            key={`${brought.file.name} ${brought.file.lastModified} ${brought.file.size}`}
            strategy={strategy}
            {...brought}
            onClose={() => setBrought(null)}
          />
        </Suspense>
      )}
    </>
  )
  return { keys, sheet }
}

/** Lines as they are copied out of XQ or a spreadsheet; they are read as a file is. */
function PasteSheet({ onRead, onClose }: { onRead: (file: File) => void; onClose: () => void }) {
  const [text, setText] = useState('')
  const holds = text.trim() !== ''
  useDirtyForm(holds)
  return (
    <Sheet
      open
      onClose={onClose}
      sticky={holds}
      title="貼上文字"
      foot={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button
            kind="filled"
            disabled={!holds}
            onClick={() => onRead(new File([text.trimEnd(), '\n'], '貼上的文字', { type: 'text/plain' }))}
          >
            讀取
          </Button>
        </>
      }
    >
      <TextField
        label="XQ 或試算表裡的列"
        hint="連標題一起貼，一列一行。下一步先讓你看內容，按下匯入才會寫進紀錄。"
        value={text}
        onChange={setText}
        maxLength={ORIGINAL_FILE_BYTES}
        rows={10}
        mono
      />
    </Sheet>
  )
}
