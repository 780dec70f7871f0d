// Mutations of the dress only: the same leaves in another syntax, case or width mean the same.
import { print, withLeaf } from './body.ts'
import { leavesAs } from './meaning.ts'
import type { Mutator, Random } from './random.ts'

export const otherSyntax: Mutator = (base, random) => {
  if (base.body.shape !== 'json') return null
  const text = print(base.body)
  const bodies = [
    `${text.slice(0, -1)},}`,
    `// 進場\n${text}`,
    `/* x */ ${text}`,
    JSON.stringify(text),
    `alert: ${text} end`,
    JSON.stringify(base.body.tree, null, '\t').replaceAll('\n', '\r\n'),
    ...(text.includes("'") ? [] : [text.replaceAll('"', "'")]),
  ]
  return { body: random.one(bodies) as string, allowed: [base.meant] }
}

/** The outer leaves as pairs; in pairs VOLUME would be the size, and separators inside values would split them. */
export const asPairs: Mutator = (base, random) => {
  if (base.body.shape !== 'json') return null
  const pairs = Object.entries(base.body.tree)
  const flat = pairs.every(([key, value]) => typeof value !== 'object' && !/[=;&\n]/.test(`${key}${value}`))
  if (!flat || pairs.length < 2 || pairs.some(([key]) => key.toLowerCase() === 'volume')) return null
  return {
    body: pairs.map((pair) => pair.join('=')).join(random.one([';', '&', '\n'])),
    allowed: [base.meant],
  }
}

const wide = (text: string) => text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))
export const dressed: Mutator = (base, random) => {
  const leaf = random.one([
    ...leavesAs(base, 'symbol'),
    ...leavesAs(base, 'action'),
    ...leavesAs(base, 'quantity'),
  ])
  if (!leaf || typeof leaf.value !== 'string') return null
  const { value } = leaf
  const looks = [value.toUpperCase(), value.toLowerCase(), ` ${value} `, wide(value), `${value}\n`]
  const text = random.one(base.body.shape === 'pairs' ? looks.slice(0, 2) : looks) as string
  return { body: print(withLeaf(base.body, leaf, leaf.key, text)), allowed: [base.meant] }
}

/** A body that was changed already, in other clothes: what it may be read as stays. */
export function redressed(body: string, random: Random): string {
  if (!body.startsWith('{') || !body.endsWith('}')) return body
  const dresses = [
    `${body.slice(0, -1)} , }`,
    `/* 測試 */${body}`,
    JSON.stringify(body),
    `訊號：${body}\n`,
    `{"data":${body}}`,
    `{"payload":{"order":${body}}}`,
  ]
  return random.one(dresses) as string
}
