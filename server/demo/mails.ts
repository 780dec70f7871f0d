// The newest letters of the mail folder, as far as the demonstration's page shows them.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface ShownMail {
  readonly at: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

const SHOWN = 20

export async function newestMails(data_dir: string): Promise<ShownMail[]> {
  const folder = join(data_dir, 'mail')
  const names = await readdir(folder).catch(() => [] as string[])
  const newest = names
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .reverse()
    .slice(0, SHOWN)
  return Promise.all(newest.map(async (name) => shown(await readFile(join(folder, name), 'utf8'))))
}

/** Enough of MIME for the letters that this server writes. */
function shown(source: string): ShownMail {
  const header = (name: string) => {
    const raw = new RegExp(`^${name}:((?:.*)(?:\\n[ \\t].*)*)`, 'mi').exec(source)?.[1] ?? ''
    return words(raw.replace(/\n[ \t]/g, ' ').trim())
  }
  const part = source.split(/^--.*$/m).find((piece) => /content-type: text\/plain/i.test(piece)) ?? ''
  const [head = '', ...rest] = part.trimStart().split('\n\n')
  const raw = rest.join('\n\n').trim()
  const text = /base64/i.test(head)
    ? Buffer.from(raw, 'base64').toString('utf8')
    : /quoted-printable/i.test(head)
      ? quoted(raw.replace(/=\n/g, ''))
      : raw
  return { at: new Date(header('date')).toISOString(), to: header('to'), subject: header('subject'), text }
}

function words(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, kind: string, value: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(value, 'base64').toString('utf8')
        : quoted(value.replaceAll('_', ' ')),
    )
}

function quoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
