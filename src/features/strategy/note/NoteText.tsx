/* A strategy's note as it is read: its Markdown with its pictures. */

import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { ApiError } from '#contract/errors.ts'
import { noteImageId } from '#contract/strategy.ts'
import { NetworkError } from '#data/failure.ts'
import { noteImageQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { failureText } from '#text/errors.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Markdown } from '#ui/markdown/Markdown.tsx'
import css from './NoteField.module.css'

const isImage = (address: string) => noteImageId(address) !== null

export function NoteText({ strategy_id, text }: { strategy_id: string; text: string }) {
  const image = useCallback(
    (address: string, alt: string) => (
      <NoteImage strategy_id={strategy_id} id={noteImageId(address) ?? ''} alt={alt} />
    ),
    [strategy_id],
  )
  return <Markdown text={text} isImage={isImage} image={image} />
}

/* One picture of a note: from the device where it is, else from the server; what cannot be shown says why. */

/** `strategy_id` empty before there is a strategy. */
export type NoteImageProps = { strategy_id: string; id: string; alt: string }

export function NoteImage({ strategy_id, id, alt }: NoteImageProps) {
  const { data, error, refetch, isFetching } = useQuery(noteImageQueries.one(useCtx(), strategy_id, id))
  const name = alt || '圖片'
  if (data) return <img className={css.NoteImagePicture} src={data.url} alt={alt} />
  if (!error) return <span className={css.NoteImageWait} role="img" aria-label={`${name}，載入中`} />
  const gone = error instanceof ApiError && error.status === 404
  return (
    <span className={css.NoteImageMissing}>
      <Icon name="image" size={20} />
      <span>
        <b>{name}</b>
        <small>{gone ? '找不到這張圖片，可能已經移除' : wordsOf(error)}</small>
      </span>
      {!gone && (
        <Button size="s" kind="ghost" busy={isFetching} onClick={() => void refetch()}>
          重試
        </Button>
      )}
    </span>
  )
}

function wordsOf(error: unknown): string {
  if (error instanceof NetworkError && error.kind === 'offline')
    return '這張還沒存到這支裝置，連上網路就看得到'
  return failureText(error)
}
