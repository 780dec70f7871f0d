/* A key that lets one choose a picture. */
import { type ComponentProps, useRef } from 'react'
import { Button } from './Button.tsx'

/** Kinds of pictures the server takes. */
const ACCEPTED = 'image/png,image/jpeg,image/webp'

/** `onFile` gets what was chosen; `testId` names the hidden input. */
export type ImageButtonProps = Pick<ComponentProps<typeof Button>, 'children' | 'busy' | 'disabled'> & {
  testId: string
  onFile: (file: File) => void
}

export function ImageButton({ testId, onFile, ...button }: ImageButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED}
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
      <Button {...button} size="s" icon="upload" onClick={() => input.current?.click()} />
    </>
  )
}
