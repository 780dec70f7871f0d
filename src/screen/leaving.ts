// Organizations that this person is leaving in this tab: whatever tells of the end first, it was their own wish.
const ids = new Set<string>()

/** Follows one leaving: it counts from the press, unless it is refused. */
export const leaving = {
  onMutate: ({ id }: { id: string }) => void ids.add(id),
  onError: (_error: unknown, { id }: { id: string }) => void ids.delete(id),
}

/** What is said when an organization is no longer there for the person; `name` is null when it is not known. */
export function lostWords(organization_id: string, reason: string, name: string | null): string {
  const quoted = name === null ? '這個組織' : `「${name}」`
  if (reason === 'left' || ids.delete(organization_id)) return `已離開${quoted}`
  if (reason === 'dissolved') return `${quoted}已解散`
  return `你在${quoted}的權限已結束`
}
