// Pictures of a strategy's note: brought before the note is saved, read by whoever may read the note (decision 053).
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { image } from './fields.ts'

export const uploadNoteImage = endpoint({
  name: 'strategy.upload-image',
  method: 'POST',
  path: '/uploads/note-images',
  who: 'strategy:create',
  when_offline: 'fail',
  body: 'image',
  about:
    '上傳策略說明的圖片（PNG、JPEG、WebP，最大 5 MB）；存成 2,000 像素以內的 WebP，不含拍攝資訊。把回答的 url 寫進說明：![說明](url)，7 天內沒有說明用到就移除',
  input: z.object({ image: image() }),
  output: z.object({ url: z.string() }),
})

export const getNoteImage = endpoint({
  name: 'strategy.image',
  method: 'GET',
  path: '/uploads/note-images/:id',
  who: 'strategy:view',
  when_offline: 'fail',
  answer: 'file',
  about: '策略說明裡的一張圖片；看得到那個策略的人才讀得到',
  input: z.object({ id: z.string().check(z.regex(/^[0-9a-f]{40}$/, '沒有這張圖片')) }),
  output: z.unknown(),
})
