/* One picture of a note: from the device where it is, else from the server; what cannot be shown says why. */
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { NetworkError } from '#data/failure.ts'
import { noteImageQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { failureText } from '#text/errors.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import css from './NoteImage.module.css'

/** `strategy_id` empty before there is a strategy. */
export type NoteImageProps = { strategy_id: string; id: string; alt: string }

export function NoteImage({ strategy_id, id, alt }: NoteImageProps) {
  const { data, error, refetch, isFetching } = useQuery(noteImageQueries.one(useCtx(), strategy_id, id))
  const name = alt || '圖片'
  if (data) return <img className={css.picture} src={data.url} alt={alt} />
  if (!error) return <span className={css.wait} role="img" aria-label={`${name}，載入中`} />
  const gone = error instanceof ApiError && error.status === 404
  return (
    <span className={css.missing}>
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
