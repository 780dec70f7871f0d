/* Copies text, also where the clipboard API is missing: a self-hosted server reached over plain http is no secure context. */

/** True when the text is on the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // refused by the browser or the focus was elsewhere: the old way below may still do it
  }
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'vh'
  // inside an open dialog everything outside is inert and cannot be selected
  const host = document.querySelector('dialog[open]') ?? document.body
  host.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}
