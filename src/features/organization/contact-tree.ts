// A contact tree changed at one place; the place is the way down: [2, 0] is the first entry under the third.
import type { ContactNode } from '#contract/organization.ts'

export type TreePlace = readonly number[]

/** The entries beside each other at a place's level; empty where there are none. */
function beside(nodes: readonly ContactNode[], place: TreePlace): readonly ContactNode[] {
  return place.slice(0, -1).reduce<readonly ContactNode[]>((level, at) => level[at]?.children ?? [], nodes)
}

/** How many entries stand at the level of a place. */
export const countBeside = (nodes: readonly ContactNode[], place: TreePlace): number =>
  beside(nodes, place).length

/** The tree with other entries at the level of a place. */
function withLevel(
  nodes: readonly ContactNode[],
  way: TreePlace,
  change: (level: readonly ContactNode[]) => ContactNode[],
): ContactNode[] {
  const [first, ...rest] = way
  if (first === undefined) return change(nodes)
  return nodes.map((node, at) =>
    at === first ? { ...node, children: withLevel(node.children ?? [], rest, change) } : node,
  )
}

/** Another entry in its place; what stands under it stays. */
export function replace(
  nodes: readonly ContactNode[],
  place: TreePlace,
  entry: Omit<ContactNode, 'children'>,
): ContactNode[] {
  const at = place.at(-1)
  return withLevel(nodes, place.slice(0, -1), (level) =>
    level.map((node, n) => (n === at ? { ...node, ...entry } : node)),
  )
}

/** An entry more, as the last one under `parent` ([] for the top). */
export function add(nodes: readonly ContactNode[], parent: TreePlace, entry: ContactNode): ContactNode[] {
  return withLevel(nodes, parent, (level) => [...level, entry])
}

/** Without the entry and what stands under it. */
export function without(nodes: readonly ContactNode[], place: TreePlace): ContactNode[] {
  const at = place.at(-1)
  return withLevel(nodes, place.slice(0, -1), (level) => level.filter((_, n) => n !== at))
}

/** The entry one place up (-1) or down (1) among those beside it; the same tree where it cannot go. */
export function moved(nodes: readonly ContactNode[], place: TreePlace, by: -1 | 1): ContactNode[] {
  const from = place.at(-1) ?? 0
  return withLevel(nodes, place.slice(0, -1), (level) => {
    const next = [...level]
    const [one] = next.splice(from, 1)
    if (one === undefined || from + by < 0 || from + by > next.length) return [...level]
    next.splice(from + by, 0, one)
    return next
  })
}
