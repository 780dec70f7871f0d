/* Which message: one that is pasted. */
import { HOOK_BODY_BYTES } from '#contract/limits.ts'
import { TextField } from '#ui/TextField.tsx'

export function PasteStep({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  return (
    <TextField
      label="一則實際的訊息"
      hint="JSON、key=value、CSV 或一行文字都可以。只用來試讀，不會成為訊號。"
      value={text}
      onChange={onChange}
      maxLength={HOOK_BODY_BYTES}
      rows={8}
      mono
    />
  )
}
