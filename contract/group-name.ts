// The order of groups over the strategies that come through them: by name, what comes through none at the end; server and device alike.

type Named = { id: string; name: string }

export function byGroupName(a: Named, b: Named): number {
  if (a.id === '' || b.id === '') return a.id === b.id ? 0 : a.id === '' ? 1 : -1
  return a.name.localeCompare(b.name, 'zh-Hant-TW')
}
