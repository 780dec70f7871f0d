/* A key that lets a file be chosen. */
import { type ComponentProps, useRef } from 'react'
import { Button } from './Button.tsx'

/** `onFile` gets what was chosen; `accept` as the platform's input takes it; `testId` names the hidden input. */
export type FileButtonProps = Pick<
  ComponentProps<typeof Button>,
  'children' | 'busy' | 'disabled' | 'kind' | 'size'
> & {
  testId: string
  accept: string
  onFile: (file: File) => void
}

export function FileButton({ testId, accept, onFile, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        className="vh"
        tabIndex={-1}
        aria-hidden="true"
        data-testid={testId}
        onChange={(event) => {
          const file = event.target.files?.[0]
          // the same file may be chosen again after a failure
          event.target.value = ''
          if (file) onFile(file)
        }}
      />
      <Button {...button} icon="upload" onClick={() => input.current?.click()} />
    </>
  )
}

/* A key that lets a picture be chosen. */

/** Kinds of pictures the server takes. */
const ACCEPTED = 'image/png,image/jpeg,image/webp'

export type ImageButtonProps = Omit<FileButtonProps, 'accept' | 'kind' | 'size'>

export function ImageButton(button: ImageButtonProps) {
  return <FileButton {...button} accept={ACCEPTED} size="s" />
}
