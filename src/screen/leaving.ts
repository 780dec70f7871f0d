// Organizations that this person is leaving or dissolving in this tab: whatever tells of the end first, it was their own wish.
const own = new Map<string, 'left' | 'dissolved'>()

/** Follows one such wish: it counts from the press, unless it is refused. */
const followed = (wish: 'left' | 'dissolved') => ({
  onMutate: ({ id }: { id: string }) => void own.set(id, wish),
  onError: (_error: unknown, { id }: { id: string }) => void own.delete(id),
})
export const leaving = followed('left')
export const dissolving = followed('dissolved')

/** What is said when an organization is no longer there for the person; `name` is null when it is not known. */
export function lostWords(organization_id: string, reason: string, name: string | null): string {
  const quoted = name === null ? '這個組織' : `「${name}」`
  const wish = own.get(organization_id)
  own.delete(organization_id)
  if (wish === 'dissolved') return `已解散${quoted}`
  if (reason === 'left' || wish === 'left') return `已離開${quoted}`
  if (reason === 'dissolved') return `${quoted}已解散`
  return `你在${quoted}的權限已結束`
}
