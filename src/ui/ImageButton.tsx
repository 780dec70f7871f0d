/* A key that lets a picture be chosen. */
import { FileButton, type FileButtonProps } from './FileButton.tsx'

/** Kinds of pictures the server takes. */
const ACCEPTED = 'image/png,image/jpeg,image/webp'

export type ImageButtonProps = Omit<FileButtonProps, 'accept' | 'kind' | 'size'>

export function ImageButton(button: ImageButtonProps) {
  return <FileButton {...button} accept={ACCEPTED} size="s" />
}
