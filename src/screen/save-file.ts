// A file that the server gave, saved under its name.

/** The browser may read the address a while after the press. */
const KEPT_MS = 60_000

export function saveFile({ filename, blob }: { filename: string; blob: Blob }): void {
  const href = URL.createObjectURL(blob)
  Object.assign(document.createElement('a'), { href, download: filename }).click()
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS)
}
