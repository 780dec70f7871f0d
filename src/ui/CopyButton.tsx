/* Copies a text and says so on its own face for two seconds. */
import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from './Button.tsx'

/** `text` what is copied; `children` the verb (複製網址). `onDone` hears whether it worked. */
export type CopyButtonProps = Pick<ButtonProps, 'kind' | 'size' | 'wide' | 'label' | 'className'> & {
  text: string
  children?: string
  onDone?: (copied: boolean) => void
}

export function CopyButton({ text, children = '複製', onDone, label, ...look }: CopyButtonProps) {
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
      <Button
        {...look}
        {...(label !== undefined && state === 'idle' && { label })}
        icon={state === 'done' ? 'check' : 'copy'}
        onClick={() => void copy()}
      >
        {words}
      </Button>
      <span className="vh" role="status">
        {state === 'done' ? '已複製' : state === 'failed' ? '複製不了，請選取文字後自行複製' : ''}
      </span>
    </>
  )
}

/* Copies text, also where the clipboard API is missing: a self-hosted server reached over plain http is no secure context. */

/** True when the text is on the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // refused by the browser or the focus was elsewhere: the old way below may still do it
  }
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'vh'
  // inside an open dialog everything outside is inert and cannot be selected
  const host = document.querySelector('dialog[open]') ?? document.body
  host.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}
