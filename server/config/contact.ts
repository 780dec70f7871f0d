// CONTACT_LINKS: how people reach whoever runs this server, one JSON file, read at the start.
import { readFileSync } from 'node:fs'
import { type ContactNode, contact_nodes } from '#contract/organization.ts'

/** The tree of a file; what is wrong goes to `problem`, one line each. */
export function readContactLinks(
  path: string | null,
  problem: (text: string) => void,
): readonly ContactNode[] {
  if (path === null) return []
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    problem(`CONTACT_LINKS=${path}：要是讀得到的 JSON 檔`)
    return []
  }
  const { data, error } = contact_nodes.safeParse(content)
  for (const { path: at, message } of error?.issues ?? [])
    problem(`CONTACT_LINKS：${at.join('.') || '檔案'} ${message}`)
  if (data) for (const at of dropped(content, data)) problem(`CONTACT_LINKS：不認得 ${at}，欄位是 ${KNOWN}`)
  return data ?? []
}

const KNOWN = 'label、type、value 與 children'

/** Places of what a file says and its reading left out: a misspelt key would take what stands under it along, without a word. */
function dropped(said: unknown, read: unknown, at: readonly string[] = []): string[] {
  if (typeof said !== 'object' || said === null) return []
  return Object.entries(said).flatMap(([key, value]) => {
    const place = [...at, key]
    if (typeof read !== 'object' || read === null || !Object.hasOwn(read, key)) return place.join('.')
    return dropped(value, (read as Record<string, unknown>)[key], place)
  })
}
