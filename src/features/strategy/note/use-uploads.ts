// Pictures on their way into a note: one after the other; what failed keeps its file and says why, until it is tried again or let go.
import { useRef, useState } from 'react'
import { NOTE_IMAGE_PX, NOTE_IMAGES } from '#contract/limits.ts'
import { newKey } from '#data/client.ts'
import { noteImageMutations } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { shrink } from '#ui/shrink.ts'

/** `problem` null while it is under way; `again` where another try may help. */
export interface Upload {
  key: string
  file: File
  problem: string | null
  again: boolean
}

export interface Uploads {
  list: readonly Upload[]
  busy: boolean
  bring: (files: readonly File[]) => void
  retry: (upload: Upload) => void
  drop: (upload: Upload) => void
}

/** `count` how many the note has; `put` the address of one that has arrived; false where there is no room for it. */
export function useUploads(count: () => number, put: (url: string) => boolean): Uploads {
  const ctx = useCtx()
  const [list, setList] = useState<readonly Upload[]>([])
  const line = useRef<Promise<void>>(Promise.resolve())
  const change = (key: string, to: Partial<Upload> | null) =>
    setList((all) =>
      to === null
        ? all.filter((one) => one.key !== key)
        : all.map((one) => (one.key === key ? { ...one, ...to } : one)),
    )
  const send = async ({ key, file }: Upload) => {
    if (!file.type.startsWith('image/'))
      return change(key, { problem: '這不是圖片，請改用 PNG、JPEG 或 WebP。' })
    if (count() >= NOTE_IMAGES)
      return change(key, { problem: `一個說明最多 ${NOTE_IMAGES} 張圖片，請先移除一張。`, again: true })
    try {
      const image = await shrink(file, { max_px: NOTE_IMAGE_PX })
      const { url } = await noteImageMutations.upload(ctx).mutationFn({ image })
      change(key, put(url) ? null : { problem: '說明已經寫滿了，請先縮短再重試。', again: true })
    } catch (error) {
      change(key, { problem: failureSentence(error, '圖片還留在這裡，'), again: true })
    }
  }
  const queue = (upload: Upload) => {
    line.current = line.current.then(() => send(upload))
  }
  return {
    list,
    busy: list.some(({ problem }) => problem === null),
    bring(files) {
      const fresh = files.map((file) => ({ key: newKey(Date.now()), file, problem: null, again: false }))
      setList((all) => [...all, ...fresh])
      for (const one of fresh) queue(one)
    },
    retry(upload) {
      change(upload.key, { problem: null, again: false })
      queue(upload)
    },
    drop: ({ key }) => change(key, null),
  }
}
