// CONTACT_LINKS: how people reach whoever runs this server, one JSON file, read at the start.
import { readFileSync } from 'node:fs'
import { type ContactNode, contact_nodes } from '#contract/contact.ts'

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
  return data ?? []
}
