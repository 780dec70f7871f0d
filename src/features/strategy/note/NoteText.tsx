/* A strategy's note as it is read: its Markdown with its pictures. */
import { useCallback } from 'react'
import { noteImageId } from '#contract/strategy.ts'
import { Markdown } from '#ui/markdown/Markdown.tsx'
import { NoteImage } from './NoteImage.tsx'

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
