// Whose screen an admin looks at in this tab; nobody's after a reload.
import { proxy } from 'valtio'

export const viewing = proxy<{ member: { readonly id: string; readonly name: string } | null }>({
  member: null,
})
