/* The tags of an announcement; 重要 stands out. */
import { Tag } from '#ui/Tag.tsx'

export function Marks({ tags }: { tags: readonly string[] }) {
  return tags.map((tag) =>
    tag === '重要' ? (
      <Tag key={tag} tone="warn" icon="warning">
        {tag}
      </Tag>
    ) : (
      <Tag key={tag} tone="line">
        {tag}
      </Tag>
    ),
  )
}
