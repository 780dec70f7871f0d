// What a chapter of the guide is made of, and finding it by words. Plain data: nothing is fetched, so it reads offline.
import { templateOf } from '#text/webhook.ts'
import type { MessageTemplate } from '#trading/message-templates.ts'

/** A paragraph; numbered steps; a list; a message to copy; other text of machines; a link into the application; 新增策略, or where
 * somebody goes who may not; the keys. */
export type TopicBlock =
  | string
  | { steps: readonly string[] }
  | { list: readonly string[] }
  | { template: MessageTemplate['id']; copy: string }
  | { code: string; label: string; copy: string }
  | { href: string; label: string }
  | { create: string; elsewhere: string }
  | { keys: true }

/** `id` is the anchor; `also` words that people search for and that the text does not say. */
export type Topic = { id: string; title: string; also?: string; blocks: readonly TopicBlock[] }
export type Group = { title: string; topics: readonly Topic[] }

function textOf(block: TopicBlock): string {
  if (typeof block === 'string') return block
  if ('steps' in block) return block.steps.join(' ')
  if ('list' in block) return block.list.join(' ')
  if ('template' in block) {
    const { label, hint, text } = templateOf(block.template)
    return `${label} ${hint} ${text}`
  }
  if ('create' in block) return block.create
  if ('code' in block) return `${block.label} ${block.code}`
  return 'label' in block ? block.label : '快速鍵 shortcut'
}

const plain = (text: string) => text.normalize('NFKC').toLowerCase()

/** The groups with only those topics that hold every word that was typed. */
export function found(groups: readonly Group[], typed: string): Group[] {
  const words = plain(typed).split(/\s+/).filter(Boolean)
  return groups
    .map((group) => ({
      ...group,
      topics: group.topics.filter(({ title, also = '', blocks }) => {
        const text = plain(`${group.title} ${title} ${also} ${blocks.map(textOf).join(' ')}`)
        return words.every((word) => text.includes(word))
      }),
    }))
    .filter(({ topics }) => topics.length > 0)
}
