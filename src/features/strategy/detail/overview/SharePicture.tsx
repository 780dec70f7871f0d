/* A picture of the curve to share: what of it may be told is chosen before it leaves the device. */
import { useEffect, useState } from 'react'
import type { Statistics } from '#contract/statistics.ts'
import { saveFile } from '#screen/browser.ts'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { type Segment, Segments } from '#ui/Segments.tsx'
import css from '../OverviewTab.module.css'
import { linesOf, type PictureLevel, type PictureLine } from './days.ts'

const LEVELS = [
  { value: 'all', label: '含金額' },
  { value: 'shares', label: '只有百分比' },
  { value: 'line', label: '只有圖' },
] as const satisfies readonly Segment<PictureLevel>[]
export type SharePictureProps = {
  /** Of the strategy. */
  name: string
  title: string
  figures: Statistics
  /** Lines without any figure. */
  drawing: HTMLCanvasElement
  /** Privacy mode: amounts are not offered first. */
  masked: boolean
  onClose: () => void
}

export function SharePicture({ name, title, figures, drawing, masked, onClose }: SharePictureProps) {
  const [level, setLevel] = useState<PictureLevel>(masked ? 'shares' : 'all')
  const [picture, setPicture] = useState<{ blob: Blob; url: string } | null>(null)
  const lines = linesOf(level, figures)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines follow from the level and the figures
  useEffect(() => {
    let url: string | null = null
    let gone = false
    paint(drawing, level === 'line' ? '' : name, level === 'line' ? '' : title, lines).toBlob((blob) => {
      if (!blob || gone) return
      url = URL.createObjectURL(blob)
      setPicture({ blob, url })
    }, 'image/png')
    return () => {
      gone = true
      if (url) URL.revokeObjectURL(url)
    }
  }, [drawing, name, title, level, figures])
  const filename = level === 'line' ? '損益曲線.png' : `${name}.png`
  const file = picture && new File([picture.blob], filename, { type: 'image/png' })
  const can_share = file !== null && navigator.canShare?.({ files: [file] }) === true
  const share = () => {
    if (!file) return
    navigator.share({ files: [file] }).catch((error: unknown) => {
      // closed again by its person
      if (error instanceof DOMException && error.name === 'AbortError') return
      toast({ title: '這個瀏覽器不能分享圖片，請下載之後再傳。', icon: 'info' })
    })
  }
  const said = level === 'line' ? '只有曲線，沒有名稱與數字' : [name, title, ...lines.flat()].join('，')
  return (
    <Sheet
      open
      onClose={onClose}
      title="分享圖片"
      foot={
        <>
          <Button
            {...(can_share ? {} : { kind: 'filled' as const })}
            disabled={!picture}
            onClick={() => picture && saveFile({ filename, blob: picture.blob })}
          >
            下載
          </Button>
          {can_share && (
            <Button kind="filled" onClick={share}>
              分享
            </Button>
          )}
        </>
      }
    >
      <div className={css.SharePicture}>
        <Segments fill label="圖上寫什麼" value={level} onChange={setLevel} options={LEVELS} />
        <div className={css.SharePictureFrame}>
          {picture && <img src={picture.url} alt={`要分享的圖：${said}`} />}
        </div>
      </div>
    </Sheet>
  )
}

const [WIDTH, HEAD, EDGE, FOOT] = [1_200, 220, 48, 56]

function paint(drawing: HTMLCanvasElement, name: string, title: string, lines: readonly PictureLine[]) {
  const style = getComputedStyle(document.documentElement)
  const token = (of: string) => style.getPropertyValue(`--${of}`).trim()
  const inner = WIDTH - 2 * EDGE
  const height = Math.round((drawing.height / Math.max(1, drawing.width)) * inner)
  const head = lines.length === 0 ? EDGE : HEAD
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = head + height + FOOT
  const pen = canvas.getContext('2d')
  if (!pen) return canvas
  const font = getComputedStyle(document.body).fontFamily
  const write = (text: string, x: number, y: number, size: number, ink: string, bold = false) => {
    pen.font = `${bold ? 600 : 400} ${size}px ${font}`
    pen.fillStyle = token(ink)
    pen.fillText(text, x, y, WIDTH - EDGE - x)
  }
  pen.fillStyle = token('card')
  pen.fillRect(0, 0, canvas.width, canvas.height)
  if (lines.length > 0) {
    write(name, EDGE, 72, 40, 'ink', true)
    write(title, EDGE, 108, 22, 'ink-3')
    for (const [at, [label, value]] of lines.entries()) {
      const x = EDGE + (at * inner) / lines.length
      write(label, x, 156, 20, 'ink-3')
      write(value, x, 188, lines.length > 5 ? 22 : 26, 'ink', true)
    }
  }
  pen.drawImage(drawing, EDGE, head, inner, height)
  write('凌波 LingBo', EDGE, canvas.height - 20, 20, 'ink-3')
  return canvas
}
