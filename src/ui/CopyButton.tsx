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
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    const copied = await copyText(text)
    setState(copied ? 'done' : 'failed')
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
