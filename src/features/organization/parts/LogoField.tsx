/* The picture of an organization that is not made yet: chosen and shown here, it travels with the form. */
import { useId } from 'react'
import { AVATAR_PX } from '#contract/limits.ts'
import { toast } from '#screen/toast.ts'
import { withoutBlanks } from '#trading/unseen.ts'
import { Button } from '#ui/Button.tsx'
import { ImageButton } from '#ui/FileButton.tsx'
import { shrink } from '#ui/shrink.ts'
import { Avatar } from '#ui/Tag.tsx'
import css from './LogoField.module.css'

export interface LogoFieldProps {
  /** Whose character stands there without a picture. */
  organization: string
  /** A `data:` address, empty for none. */
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

export function LogoField({ organization, value, onChange, error }: LogoFieldProps) {
  const id = useId()
  return (
    <fieldset className={css.root} aria-describedby={error && id}>
      <legend className={css.label}>標誌（選填）</legend>
      <div className={css.pick}>
        <Avatar name={withoutBlanks(organization).trim() || '組'} src={value || null} size={64} />
        <div className={css.words}>
          <div className={css.keys}>
            <ImageButton
              testId="new-logo-file"
              onFile={(file) =>
                void dataOf(file).then(onChange, () =>
                  toast({ title: '讀不到這張圖片，請再選一次', variant: 'destructive' }),
                )
              }
            >
              {value ? '更換標誌' : '選擇標誌'}
            </ImageButton>
            {value && (
              <Button size="s" kind="ghost" onClick={() => onChange('')}>
                移除
              </Button>
            )}
          </div>
          <small className="ink3">PNG、JPEG 或 WebP，會裁成正方形</small>
        </div>
      </div>
      {error && (
        <p id={id} className={css.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** What the server takes is small; what kind of picture it is it finds in the bytes. */
async function dataOf(file: File): Promise<string> {
  const bytes = await shrink(file, { max_px: AVATAR_PX, square: true })
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(new Blob([bytes], { type: 'image/webp' }))
  })
}
