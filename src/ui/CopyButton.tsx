/* Copies a text and says so on its own face for two seconds. */
import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from './Button.tsx'
import { copyText } from './clipboard.ts'

/** `text` what is copied; `children` the verb (複製網址). `onDone` hears whether it worked. */
export type CopyButtonProps = Pick<ButtonProps, 'kind' | 'size' | 'wide' | 'className'> & {
  text: string
  children?: string
  onDone?: (copied: boolean) => void
}

export function CopyButton({ text, children = '複製', onDone, ...look }: CopyButtonProps) {
  const [told, setTold] = useState<{ text: string; copied: boolean } | null>(null)
  useEffect(() => {
    if (!told) return
    const timer = setTimeout(() => setTold(null), 2000)
    return () => clearTimeout(timer)
  }, [told])
  // another text under the same key has not been copied
  const state = told?.text !== text ? 'idle' : told.copied ? 'done' : 'failed'
  const copy = async () => {
    const copied = await copyText(text)
    setTold({ text, copied })
    onDone?.(copied)
  }
  const words = state === 'done' ? '已複製' : state === 'failed' ? '請自行選取' : children
  return (
    <>
      <Button {...look} icon={state === 'done' ? 'check' : 'copy'} onClick={() => void copy()}>
        {words}
      </Button>
      <span className="vh" role="status">
        {state === 'done' ? '已複製' : state === 'failed' ? '複製不了，請選取文字後自行複製' : ''}
      </span>
    </>
  )
}
