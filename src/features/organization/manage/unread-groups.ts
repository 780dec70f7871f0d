// Lists that read one page of the groups: what they say of those beyond it.
import { number } from '#text/format.ts'

/** Empty when every group was read. */
export function unreadGroups({ items, total }: { items: readonly unknown[]; total: number }): string {
  return total > items.length ? `只看了 ${number(total)} 個群組的前 ${number(items.length)} 個` : ''
}
