// multipart/form-data: its text fields as a form; files are no messages.
import { isPrivate } from '#trading/reader/json.ts'
import { decodeText } from './charset.ts'
import { type FormField, type FormRead, messageOf } from './form.ts'

/** What is kept of a form without a message: its parts, without the private ones. */
export interface RefusedForm {
  kind: 'refused'
  why: 'bad_encoding' | 'no_field'
  bytes: Uint8Array
}

const NAME = /;\s*name="((?:[^"\\]|\\.){1,200})"/i

/** The fields of a multipart body as a message; null when the bytes are none, whatever their header says. */
export function readMultipart(bytes: Uint8Array): FormRead | RefusedForm | null {
  if (bytes[0] !== 0x2d && bytes[0] !== 0x0d && bytes[0] !== 0x0a) return null
  // One sign per byte, so that a part can be cut out before anybody knows how it is written.
  const raw = Buffer.from(bytes).toString('latin1')
  const first = /^(?:\r?\n)?--([^\r\n]{1,200})\r?\ncontent-/i.exec(raw)
  if (!first) return null
  const parts = `\n${raw}`.split(`\n--${first[1]}`).slice(1)
  const refuse = (why: RefusedForm['why']): RefusedForm => ({
    kind: 'refused',
    why,
    bytes: Buffer.from(parts.filter((part) => !isPrivate(nameOf(part))).join(`--${first[1]}`), 'latin1'),
  })
  // Without its last line something of it is missing.
  if (!parts.some((part) => part.startsWith('--'))) return refuse('no_field')
  const fields: FormField[] = []
  for (const part of parts) {
    if (part.startsWith('--')) break
    const field = fieldOf(part)
    if (typeof field === 'string') return refuse(field)
    if (field !== null) fields.push(field)
  }
  return fields.length === 0 ? refuse('no_field') : messageOf(fields)
}

/** A part as a field; null = a file. */
function fieldOf(part: string): FormField | RefusedForm['why'] | null {
  const cut = /\r?\n\r?\n/.exec(part)
  const head = part.slice(0, cut?.index ?? 0)
  if (/^content-disposition:.*;\s*filename\*?=/im.test(head)) return null
  const name = nameOf(part)
  if (!cut || name === '') return 'no_field'
  if (/^content-transfer-encoding:\s*(?:base64|quoted-printable)/im.test(head)) return 'no_field'
  const value = part.slice(cut.index + cut[0].length).replace(/\r$/, '')
  const [key, text] = [name, value].map((one) => decodeText(Buffer.from(one, 'latin1')))
  return typeof key === 'string' && typeof text === 'string' ? [key, text] : 'bad_encoding'
}

function nameOf(part: string): string {
  const disposition = /^content-disposition:\s*form-data(.*)$/im.exec(part)?.[1] ?? ''
  return NAME.exec(disposition)?.[1] ?? ''
}
